import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { TaggedResource } from '../../core/context.ts';
import { assertSuccess } from '../../steps/replies.ts';
import { timeOf } from '../../steps/values.ts';
import { emptyEtag } from './support/etag-model.ts';
import { newWorker, putTags, setText, tagsOf } from './support/one-resource.ts';
import { assertNotFound, notFoundCode } from './support/untagged.ts';

const entriesOf = ({ tags }: TaggedResource): Map<string, string> => new Map(Object.entries(tags));

export const tagSets: Suite = suite(
  {
    id: 'tags/set/replaces',
    requirements: ['TAG-050'],
    level: 'MUST',
    explanation:
      'The tags of a set take the place of all that were there; one is changed by reading, merging and setting.',
    run: async (t) => {
      const resource = newWorker(t);
      await t.setTags(resource, { a: '1', b: '2' });
      const replaced = await t.setTags(resource, { b: '3', c: '4' });
      assert.deepEqual(replaced.tags, { b: '3', c: '4' }, 'expected the tags of the second set alone');
      const read = await tagsOf(t, resource);
      assert.deepEqual(read, replaced, 'expected GET to show the same');
      const merged = await t.setTags(resource, { ...read.tags, a: '5' });
      assert.deepEqual(merged.tags, { a: '5', b: '3', c: '4' }, 'expected the merged tags');
    },
  },
  {
    id: 'tags/set/empty',
    requirements: ['TAG-051'],
    level: 'MUST',
    beyond: true,
    explanation: 'No tags and empty values are taken; a record without tags is read as one.',
    run: async (t) => {
      const resource = newWorker(t);
      assert.deepEqual((await t.setTags(resource, { a: '', b: '' })).tags, { a: '', b: '' }, 'expected empty values');
      for (const one of [resource, newWorker(t)]) {
        const set = await t.setTags(one, {});
        assert.deepEqual([set.tags, set.etag], [{}, emptyEtag], 'expected no tags');
        timeOf(set.tags_updated_at ?? '(none)', 'tags_updated_at');
        assert.deepEqual(await tagsOf(t, one), set, 'expected GET to show the record');
        const list = await t.tags('GET', `/tags/resources?id=${one.resource_id}`);
        assert.deepEqual(assertSuccess(list, 200, 'the list'), [], 'expected no tagged resource');
      }
    },
  },
  {
    id: 'tags/set/names',
    requirements: ['TAG-052'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of equal names in JSON the last one counts, and names of JavaScript are names as any others.',
    run: async (t) => {
      const resource = newWorker(t);
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'length', 'then'];
      const set = async (body: string): Promise<TaggedResource> =>
        assertSuccess(await t.tags('PUT', '/tags', { body }), 200, `PUT of ${body.slice(0, 200)}`);
      for (const some of [names, t.seed % 2 === 0 ? ['__proto__'] : ['toString']]) {
        const tags = some.map((name, i) => [name, String(i)] as const);
        const put = await set(setText(resource, tags));
        assert.deepEqual(entriesOf(put), new Map(tags), 'expected these tags');
        assert.deepEqual(entriesOf(await tagsOf(t, resource)), new Map(tags), 'expected them of GET too');
      }
      const twice = await set(
        setText(resource, [
          ['a', '1'],
          ['b', '2'],
          ['a', '3'],
        ]),
      );
      assert.deepEqual(twice.tags, { a: '3', b: '2' }, 'expected the last of equal names');
      const escaped = JSON.stringify(resource).slice(0, -1);
      const proto = await set(`${escaped},"tags":{"__proto__":"1","\\u005f_proto__":"2"}}`);
      assert.deepEqual(
        entriesOf(proto),
        new Map([['__proto__', '2']]),
        'expected equal names however they are written',
      );
      const members = await set(`${escaped},"tags":5,"tags":{"x":"y"},"__proto__":{"resource_type":"none"}}`);
      assert.deepEqual(members.tags, { x: 'y' }, 'expected the last tags');
      const early = `{"resource_id":"none","resource_type":7,${escaped.slice(1)},"tags":{"x":"z"}}`;
      assert.equal((await set(early)).id, resource.resource_id, 'expected the last resource_id');
    },
  },
  {
    id: 'tags/set/times',
    requirements: ['TAG-053'],
    level: 'MUST',
    beyond: true,
    explanation: 'Each write has a later time than the one before, however fast they come and even if nothing changes.',
    run: async (t) => {
      const resource = newWorker(t);
      const times: number[] = [];
      for (let i = 0; i < 2; i++) {
        const { tags_updated_at: at } = await t.setTags(resource, { turn: String(i >> 1) });
        times.push(timeOf(at ?? '(none)', 'tags_updated_at'));
      }
      for (const [i, time] of times.entries()) {
        if (i > 0) assert.ok(time > Number(times[i - 1]), `expected a later time than ${times[i - 1]}, not ${time}`);
      }
      const elapsed = Number(times.at(-1)) - Number(times[0]);
      const seen = timeOf((await tagsOf(t, resource)).tags_updated_at ?? '(none)', 'tags_updated_at');
      assert.equal(seen, times.at(-1), 'expected GET to show the time of the last write');
      assert.ok(elapsed < 600_000, 'expected times of this case');

      // So many at once that some of them fall into one millisecond.
      const together = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => await t.setTags(resource, { all: String(i) })),
      );
      const each = together.map(({ tags_updated_at: at }) => timeOf(at ?? '(none)', 'tags_updated_at'));
      assert.equal(new Set(each).size, each.length, 'expected writes at once to have times of their own');
      const last = timeOf((await tagsOf(t, resource)).tags_updated_at ?? '(none)', 'tags_updated_at');
      assert.equal(last, Math.max(...each), 'expected the last of them to have the latest time');
    },
  },
  {
    id: 'tags/set/unknown-repository',
    requirements: ['TAG-054', 'TAG-168'],
    level: 'MUST',
    beyond: true,
    explanation: 'A resource of an account that its directory does not know is 404, and gets no record.',
    run: async (t) => {
      const resource = { resource_type: 'repository', resource_id: `none-${t.name()}` };
      const reply = await putTags(t, resource, { a: 'b' });
      assertNotFound(reply, 404, resource, 'PUT of a repo that there is not');
      assert.equal(reply.json.errors[0].code, notFoundCode, 'expected this code');
      const list = await t.tags('GET', `/tags/resources?id=${resource.resource_id}`);
      assert.deepEqual(assertSuccess(list, 200, 'the list'), [], 'expected no record of what is not there');
    },
  },
  {
    id: 'tags/set/unknown-zone',
    requirements: ['TAG-054'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'A resource of a zone that its directory does not know is 404.',
    run: async (t) => {
      const resource = { resource_type: 'zone', resource_id: t.name('none') };
      const reply = await putTags(t, resource, { a: 'b' }, { at: 'zone' });
      assertNotFound(reply, 404, resource, 'PUT of another zone below this one');
    },
  },
);
