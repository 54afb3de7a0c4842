import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, RestReply, TaggedResource } from '../../core/context.ts';
import { assertSuccess, shown } from '../../steps/replies.ts';
import type { Tags } from './support/filter-model.ts';
import { page, walked, type ListedResource, type SummaryItem } from './support/tag-lists.ts';
import { numbered } from './support/tagged-resources.ts';
import { untaggedMode } from './support/untagged.ts';

const identity = (id: string): { readonly resource_type: string; readonly resource_id: string } => ({
  resource_type: 'worker',
  resource_id: id,
});

async function set(t: Context, id: string, tags: Tags, etag?: string): Promise<RestReply> {
  const headers = etag === undefined ? {} : { 'if-match': `"${etag}"` };
  return await t.tags('PUT', '/tags', { body: { ...identity(id), tags }, headers });
}

async function got(t: Context, id: string): Promise<TaggedResource> {
  return assertSuccess(await t.tags('GET', `/tags?resource_type=worker&resource_id=${id}`), 200, 'GET');
}

/** Asserts that exactly one of the sets won, and that its tags are stored. */
async function assertOneWinner(
  t: Context,
  id: string,
  replies: readonly RestReply[],
  maps: readonly Tags[],
): Promise<void> {
  const winners = replies.flatMap((reply, i) => (reply.status === 200 ? [i] : []));
  assert.equal(winners.length, 1, `expected exactly one 200 of ${replies.map(({ status }) => status).join(' ')}`);
  for (const reply of replies) {
    if (reply.status !== 200) assert.equal(reply.status, 412, `a set at once with others: got ${shown(reply)}`);
  }
  const [winner = 0] = winners;
  const made = replies[winner]?.json.result;
  assert.deepEqual(made.tags, maps[winner], 'expected the winner to be answered with its own map');
  assert.deepEqual(await got(t, id), made, 'expected what the winner was answered with');
}

export const tagRaces: Suite = suite(
  {
    id: 'tags/races/one-etag',
    requirements: ['TAG-171', 'TAG-046'],
    level: 'MUST',
    explanation: 'Of simultaneous sets with the current etag and different maps exactly one succeeds, others get 412.',
    run: async (t) => {
      const id = t.name('worker');
      const { etag } = await t.setTags(identity(id), { round: 'none' });
      const maps = numbered(5).map((number) => ({ number }));
      const replies = await Promise.all(maps.map(async (tags) => await set(t, id, tags, etag)));
      await assertOneWinner(t, id, replies, maps);
    },
  },
  {
    id: 'tags/races/first-etag',
    requirements: ['TAG-171', 'TAG-047'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of simultaneous first sets with the etag of no tags exactly one succeeds, others get 412.',
    run: async (t) => {
      const none = 'v1:RBNvo1WzZ4oRRq0W9-hkng';
      const id = t.name('worker');
      const maps = numbered(5).map((number) => ({ number }));
      const replies = await Promise.all(maps.map(async (tags) => await set(t, id, tags, none)));
      await assertOneWinner(t, id, replies, maps);
    },
  },
  {
    id: 'tags/races/set-and-delete',
    requirements: ['TAG-171', 'TAG-046'],
    level: 'MUST',
    explanation: 'Of simultaneous sets and deletions with the current etag exactly one succeeds.',
    run: async (t) => {
      const id = t.name('worker');
      const { etag } = await t.setTags(identity(id), { round: 'none' });
      const headers = { 'if-match': etag };
      const replies = await Promise.all(
        numbered(5).map(async (number, i) =>
          i % 2 === t.seed % 2
            ? await set(t, id, { number }, etag)
            : await t.tags('DELETE', '/tags', { body: identity(id), headers }),
        ),
      );
      const passed = replies.filter(({ status }) => status === 200 || status === 204);
      assert.equal(passed.length, 1, `expected one success of ${replies.map(({ status }) => status).join(' ')}`);
      for (const reply of replies) {
        if (!passed.includes(reply)) assert.equal(reply.status, 412, `a write at once with others: ${shown(reply)}`);
      }
      const items = (await page<ListedResource>(t, `/tags/resources?id=${id}`)).items;
      const [winner] = passed;
      const expected = winner?.status === 200 ? [winner.json.result] : [];
      assert.deepEqual(items, expected, 'expected what the one that succeeded left');
    },
  },
  {
    id: 'tags/races/whole-maps',
    requirements: ['TAG-172'],
    level: 'MUST',
    explanation: 'Who reads while others set sees one of the maps as a whole, and the last set wins.',
    run: async (t) => {
      const id = t.name('worker');
      const prefix = t.name('key');
      // Each map has unique keys, and some that all share.
      const mapOf = (name: string): Tags =>
        Object.fromEntries([
          ...numbered(30, `${prefix}.`).map((key) => [key, name] as const),
          ...numbered(10, `${prefix}.${name}.`).map((key) => [key, name] as const),
        ]);
      const maps = ['a', 'b'].map(mapOf);
      const isWhole = (tags: Tags, what: string): void => {
        const whole = maps.some((map) => isDeepStrictEqual(map, tags));
        assert.ok(whole, `${what}: expected one of the maps as a whole, got ${JSON.stringify(tags).slice(0, 300)}`);
      };
      await t.setTags(identity(id), maps[0] as Tags);
      const write = async (tags: Tags): Promise<void> => {
        for (let i = 0; i < 2; i++) {
          const made = assertSuccess(await set(t, id, tags), 200, 'a set at once with others');
          assert.deepEqual(made.tags, tags, 'expected a set to be answered with its own map');
        }
      };
      const read = async (): Promise<void> => {
        isWhole((await got(t, id)).tags, 'GET');
        const [item] = (await page<ListedResource>(t, `/tags/resources?id=${id}`)).items;
        assert.ok(item !== undefined, 'expected the resource to be listed throughout');
        isWhole(item.tags, 'the list');
        const { items: values } = await page<string>(t, `/tags/values/${prefix}.0000`);
        assert.equal(values.length, 1, `expected one value of a key of one resource, not ${values.join()}`);
      };
      await Promise.all([...maps.map(write), read()]);
      await t.setTags(identity(id), { last: '' });
      assert.deepEqual((await got(t, id)).tags, { last: '' }, 'expected the last set to win');
    },
  },
  {
    id: 'tags/races/seen-at-once',
    requirements: ['TAG-173', 'REPO-006'],
    level: 'MUST',
    explanation: 'GET shows an acknowledged set or deletion at once, on every connection.',
    run: async (t) => {
      const id = t.name('id');
      for (let i = 0; i < 2; i++) {
        const made = await t.setTags(identity(id), { i: String(i) });
        const seen = await Promise.all([got(t, id), got(t, id)]);
        assert.deepEqual(seen, [made, made], 'expected what was set');
      }
      await t.tags('DELETE', '/tags', { body: identity(id) });
      await untaggedMode(t, identity(id));
    },
  },
  {
    id: 'tags/races/listed-at-once',
    requirements: ['TAG-173', 'REPO-006'],
    level: 'MUST',
    beyond: true,
    explanation: 'Lists show an acknowledged set or deletion at once.',
    run: async (t) => {
      const key = t.name('key');
      const id = `${key}.id`;
      const seen = async (): Promise<unknown> => {
        const path = `/tags/resources?tag=${key}`;
        const resources = (await page<ListedResource>(t, path)).items.map(({ tags }) => tags);
        const values = (await page(t, `/tags/values/${key}`)).items;
        const keys = (await walked<string>(t, '/tags/keys')).filter((one) => one === key);
        const summary = (await walked<SummaryItem>(t, '/tags/summary')).filter((one) => one.key === key);
        return { resources, values, keys, summary };
      };
      const nothing = { resources: [], values: [], keys: [], summary: [] };
      await t.setTags(identity(id), { [key]: '1' });
      await t.setTags(identity(id), { [key]: '2' });
      const expected = {
        resources: [{ [key]: '2' }],
        values: ['2'],
        keys: [key],
        summary: [{ key, values: ['2'] }],
      };
      assert.deepEqual(await seen(), expected, 'expected the lists to show the last set');
      if (t.seed % 2 === 0) await t.setTags(identity(id), {});
      else await t.tags('DELETE', '/tags', { body: identity(id) });
      assert.deepEqual(await seen(), nothing, 'expected the lists to show nothing after an empty set or a deletion');
    },
  },
);
