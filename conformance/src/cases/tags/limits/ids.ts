import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { sample } from '../../../tools/dice.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { badParameter, refuses, refusals } from '../support/refusals.ts';
import { listedIds } from '../support/tag-lists.ts';

/** Returns a text of so many characters of four bytes each, after its beginning. */
function long(length: number, start: string): string {
  return start + '𐐀'.repeat(length - start.length);
}

export const tagIdLimits: Suite = suite(
  {
    id: 'tags/limits/ids',
    requirements: ['TAG-140', 'TAG-177'],
    level: 'MUST',
    beyond: true,
    explanation: 'Ids and parents have 1 to 1,024 characters, in bodies and in queries.',
    run: async (t) => {
      const id = long(1024, t.name('id'));
      const made = await t.setTags({ resource_type: 'worker', resource_id: id }, { a: 'b' });
      assert.equal(made.id, id, 'expected the longest id unchanged');
      const query = `resource_type=worker&resource_id=${encodeURIComponent(id)}`;
      const got = assertSuccess(await t.tags('GET', `/tags?${query}`), 200, 'GET of the longest id');
      assert.equal(got.id, id, 'expected the longest id unchanged');
      assert.deepEqual(
        await listedIds(t, `id=${encodeURIComponent(id)}`),
        [id],
        'expected the longest id to be listed',
      );
      const version = { resource_type: 'worker_version', resource_id: t.name('version'), worker_id: id };
      assert.equal((await t.setTags(version, { a: 'b' })).worker_id, id, 'expected the longest parent unchanged');
      const ofVersion = `resource_type=worker_version&resource_id=${version.resource_id}&worker_id=`;
      const child = assertSuccess(await t.tags('GET', `/tags?${ofVersion}${encodeURIComponent(id)}`), 200, 'GET');
      assert.equal(child.worker_id, id, 'expected the longest parent unchanged');

      const tooLong = `${id}x`;
      let at = t.seed;
      for (const [body, wrong] of [
        [{ resource_type: 'worker', resource_id: tooLong }, `resource_type=worker&resource_id=${tooLong}`],
        [{ ...version, worker_id: tooLong }, `${ofVersion}${tooLong}`],
        [{ ...version, worker_id: '' }, ofVersion],
      ] as const) {
        const name = 'worker_id' in body ? 'worker_id' : 'resource_id';
        await refuses(t, ['GET', `/tags?${encodeURI(wrong)}`], badParameter(name));
        if (at++ % 2 === 0) await refuses(t, ['PUT', '/tags', { ...body, tags: {} }], refusals.setPayload);
        else await refuses(t, ['DELETE', '/tags', body], refusals.deletePayload);
      }
      const empty = { resource_type: 'worker', resource_id: '' };
      if (at % 2 === 0) await refuses(t, ['PUT', '/tags', { ...empty, tags: {} }], refusals.setPayload);
      else await refuses(t, ['DELETE', '/tags', empty], refusals.deletePayload);
      await refuses(t, ['GET', '/tags?resource_type=worker&resource_id='], refusals.resourceMissing);
      await refuses(t, ['GET', `/tags/resources?id=${encodeURIComponent(tooLong)}`], badParameter('id'));
      await refuses(t, ['GET', '/tags/resources?id='], badParameter('id'));
    },
  },
  {
    id: 'tags/limits/scalar-values',
    requirements: ['TAG-134', 'TAG-176', 'TAG-177'],
    level: 'MUST',
    beyond: true,
    explanation: 'Values, ids and parents hold any character but U+0000, and no halves of surrogate pairs.',
    run: async (t) => {
      const odd = `${t.name('odd')} \u0001\t\n\u001f"\\/'\u007f\u0080\u2028\ufeff\ufffe\uffff\u{1ffff}\u{10ffff} %00 \u202e`;
      const version = { resource_type: 'worker_version', resource_id: odd, worker_id: odd };
      const made = await t.setTags(version, { a: odd });
      assert.deepEqual([made.id, made.worker_id, made.tags], [odd, odd, { a: odd }], 'expected them unchanged');
      const encoded = encodeURIComponent(odd);
      const query = `resource_type=worker_version&resource_id=${encoded}&worker_id=${encoded}`;
      assert.deepEqual(assertSuccess(await t.tags('GET', `/tags?${query}`), 200, 'GET'), made, 'expected it unchanged');
      assert.deepEqual(await listedIds(t, `id=${encoded}&tag=a=${encoded}`), [odd], 'expected it to be listed');

      const id = t.name('worker');
      let at = t.seed;
      for (const bad of sample(t, ['\\u0000', '\\ud800', '\\udc00', 'a\\udfffb', '\\udc00\\ud800', 'x\\u0000'], 3)) {
        const named = `"resource_type":"worker","resource_id":"${id}${bad}"`;
        const parent = `"resource_type":"worker_version","resource_id":"${id}","worker_id":"${id}${bad}"`;
        const tagged = `"resource_type":"worker","resource_id":"${id}","tags":{"a":"${bad}"}`;
        const requests = [
          ['PUT', `{${named},"tags":{}}`, refusals.setPayload],
          ['DELETE', `{${parent}}`, refusals.deletePayload],
          ['PUT', `{${tagged}}`, refusals.setPayload],
          ['DELETE', `{${named}}`, refusals.deletePayload],
          ['PUT', `{${parent},"tags":{}}`, refusals.setPayload],
        ] as const;
        const [method, body, refusal] = requests[at++ % requests.length] as (typeof requests)[number];
        await refuses(t, [method, '/tags', body], refusal);
      }
      for (const bad of sample(t, ['%00', '%ED%A0%80', 'a%FF', '%C3', '%', '%zz'], 2)) {
        const queries = [
          [`/tags?resource_type=worker&resource_id=${bad}`, 'resource_id'],
          [`/tags?resource_type=worker_version&resource_id=${id}&worker_id=${bad}`, 'worker_id'],
          [`/tags/resources?id=${id}&id=${bad}`, 'id'],
        ] as const;
        const [path, name] = queries[at++ % queries.length] as (typeof queries)[number];
        await refuses(t, ['GET', path], badParameter(name));
      }
    },
  },
);
