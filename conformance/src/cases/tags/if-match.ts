import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, RestReply, TaggedResource, TagIdentity } from '../../core/context.ts';
import { assertSuccess, shown } from '../../steps/replies.ts';
import { sample } from '../../tools/dice.ts';
import { emptyEtag, etagOf } from './support/etag-model.ts';
import { deleteTags, newDnsRecord, newWorker, putTags, tagsOf } from './support/one-resource.ts';
import { assertRefusal, refusals } from './support/refusals.ts';
import { untaggedMode } from './support/untagged.ts';

const stale = etagOf([['stale', 'yes']]);

async function putIf(t: Context, resource: TagIdentity, ifMatch: string, tags: object): Promise<RestReply> {
  return await putTags(t, resource, tags, { headers: { 'if-match': ifMatch } });
}

/** Asserts that a false condition prevents writing and removing. `before` is the resource as it was set. */
async function assertNoMatch(
  t: Context,
  resource: TagIdentity,
  before: TaggedResource,
  ifMatch: string,
): Promise<void> {
  const headers = { 'if-match': ifMatch };
  for (const [method, reply] of [
    ['PUT', await putTags(t, resource, { other: 'tags' }, { headers })],
    ['DELETE', await deleteTags(t, resource, { headers })],
  ] as const) {
    const what = `${method} with If-Match: ${ifMatch}`;
    assert.equal(reply.status, 412, `${what}: expected 412, got ${shown(reply)}`);
  }
  assert.deepEqual(await tagsOf(t, resource), before, `If-Match: ${ifMatch}: expected nothing to change`);
}

/** Sets tags under each condition in turn. `spell` makes a condition of the current etag. */
async function assertMatches(t: Context, spellings: readonly ((etag: string) => string)[]): Promise<void> {
  const resource = newWorker(t);
  let { etag } = await t.setTags(resource, { turn: 'first' });
  for (const [turn, spell] of spellings.entries()) {
    const ifMatch = spell(etag);
    const reply = await putIf(t, resource, ifMatch, { turn: String(turn) });
    ({ etag } = assertSuccess(reply, 200, `PUT with If-Match: ${ifMatch}`));
  }
}

export const ifMatch: Suite = suite(
  {
    id: 'tags/if-match/without',
    requirements: ['TAG-045'],
    level: 'MUST',
    explanation: 'Without If-Match a write happens whatever is stored.',
    run: async (t) => {
      const resource = newWorker(t);
      await t.setTags(resource, { a: '1' });
      assert.deepEqual((await t.setTags(resource, { b: '2' })).tags, { b: '2' }, 'expected the second tags');
      assert.equal((await deleteTags(t, resource)).status, 204, 'DELETE: expected 204');
    },
  },
  {
    id: 'tags/if-match/matches',
    requirements: ['TAG-046', 'TAG-048'],
    level: 'MUST',
    explanation: 'With the current etag, in quotes or bare, tags are set and removed.',
    run: async (t) => {
      await assertMatches(t, [(etag) => `"${etag}"`, (etag) => etag]);
      for (const spell of sample(t, [(etag: string) => `"${etag}"`, (etag: string) => etag], 1)) {
        const resource = newWorker(t);
        const { etag } = await t.setTags(resource, { a: '1' });
        const reply = await deleteTags(t, resource, { headers: { 'if-match': spell(etag) } });
        assert.equal(reply.status, 204, `DELETE with If-Match: ${spell(etag)}: expected 204, got ${shown(reply)}`);
        await untaggedMode(t, resource);
      }
    },
  },
  {
    id: 'tags/if-match/zone',
    requirements: ['TAG-046'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'The same holds for a resource of a zone.',
    run: async (t) => {
      const resource = newDnsRecord(t);
      const { etag } = await t.setTags(resource, { a: '1' }, { at: 'zone' });
      const put = async (value: string): Promise<RestReply> =>
        await putTags(t, resource, { b: '2' }, { at: 'zone', headers: { 'if-match': `"${value}"` } });
      assert.equal((await put(stale)).status, 412, 'PUT with another etag: expected 412');
      assertSuccess(await put(etag), 200, 'PUT with the current etag');
      assert.equal((await put(etag)).status, 412, 'PUT with the etag before: expected 412');
    },
  },
  {
    id: 'tags/if-match/stale',
    requirements: ['TAG-046', 'TAG-048'],
    level: 'MUST',
    explanation: 'With another etag a write is 412, and nothing changes.',
    run: async (t) => {
      const resource = newWorker(t);
      const first = await t.setTags(resource, { a: '1' });
      await assertNoMatch(t, resource, first, stale);
      const second = await t.setTags(resource, { a: '2' });
      await assertNoMatch(t, resource, second, `"${first.etag}"`);
    },
  },
  {
    id: 'tags/if-match/refusal',
    requirements: ['TAG-046', 'TAG-169'],
    level: 'MUST',
    beyond: true,
    explanation: 'The failure has the code 10412 and says that the etag does not match.',
    run: async (t) => {
      const resource = newWorker(t);
      await t.setTags(resource, { a: '1' });
      assertRefusal(await putIf(t, resource, `"${stale}"`, {}), refusals.noMatch, 'PUT with another etag');
      const reply = await deleteTags(t, resource, { headers: { 'if-match': `"${stale}"` } });
      assertRefusal(reply, refusals.noMatch, 'DELETE with another etag');
    },
  },
  {
    id: 'tags/if-match/lists',
    requirements: ['TAG-048'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of several etags one has to be the current one.',
    run: async (t) => {
      const spellings: readonly ((etag: string) => string)[] = [
        (etag) => `"${stale}", "${etag}"`,
        (etag) => `${etag},${stale}`,
        (etag) => `"${stale}" ,${etag} , "${stale}"`,
        (etag) => `W/"${etag}", "${etag}"`,
      ];
      await assertMatches(t, sample(t, spellings, 2));
      const resource = newWorker(t);
      await assertNoMatch(t, resource, await t.setTags(resource, { a: '1' }), `"${stale}", "${emptyEtag}"`);
    },
  },
  {
    id: 'tags/if-match/no-record',
    requirements: ['TAG-047'],
    level: 'MUST',
    beyond: true,
    explanation: 'What has no record has the etag of no tags, which makes a set that replaces nothing.',
    run: async (t) => {
      const [one, other] = [newWorker(t), newWorker(t)];
      const refused = await putIf(t, one, `"${stale}"`, { a: '1' });
      assertRefusal(refused, refusals.noMatch, 'PUT of what has no record, with another etag');
      await untaggedMode(t, one);
      const reply = await putIf(t, one, `"${emptyEtag}"`, { a: '1' });
      assertSuccess(reply, 200, 'PUT of what has no record, with the etag of no tags');
      const again = await putIf(t, one, `"${emptyEtag}"`, { a: '2' });
      assertRefusal(again, refusals.noMatch, 'PUT of what has tags, with the etag of no tags');
      const removed = await deleteTags(t, other, { headers: { 'if-match': emptyEtag } });
      assert.equal(removed.status, 204, 'DELETE of what has no record, with the etag of no tags: expected 204');
      const kept = await deleteTags(t, other, { headers: { 'if-match': stale } });
      assertRefusal(kept, refusals.noMatch, 'DELETE of what has no record, with another etag');
    },
  },
  {
    id: 'tags/if-match/star',
    requirements: ['TAG-049'],
    level: 'MUST',
    beyond: true,
    explanation: 'A star matches when there is a record, also one without tags.',
    run: async (t) => {
      const resource = newWorker(t);
      const absent = await putIf(t, resource, '*', { a: '1' });
      assertRefusal(absent, refusals.noMatch, 'PUT with * of what has no record');
      const removed = await deleteTags(t, resource, { headers: { 'if-match': '*' } });
      assertRefusal(removed, refusals.noMatch, 'DELETE with * of what has no record');
      await t.setTags(resource, {});
      assertSuccess(await putIf(t, resource, '*', { a: '1' }), 200, 'PUT with * of a record without tags');
      assertSuccess(await putIf(t, resource, ' * ', { a: '2' }), 200, 'PUT with * of a record with tags');
      const gone = await deleteTags(t, resource, { headers: { 'if-match': '*' } });
      assert.equal(gone.status, 204, 'DELETE with * of a record: expected 204');
    },
  },
  {
    id: 'tags/if-match/never',
    requirements: ['TAG-049'],
    level: 'MUST',
    beyond: true,
    explanation: 'A weak tag and a value that cannot be read never match.',
    run: async (t) => {
      const resource = newWorker(t);
      const set = await t.setTags(resource, { a: '1' });
      const { etag } = set;
      const digest = etag.slice(3);
      const never = [
        `W/"${etag}"`,
        '""',
        `"${etag}`,
        `${etag}"`,
        `'${etag}'`,
        `"${digest}"`,
        `"v2:${digest}"`,
        `"${etag}="`,
        `"${etag.toUpperCase()}"`,
        `"${etag}" "${etag}"`,
        '"*"',
        ',',
      ];
      for (const [i, value] of sample(t, never, 4).entries()) {
        const headers = { 'if-match': value };
        const isPut = (i + t.seed) % 2 === 0;
        const reply = isPut ? await putIf(t, resource, value, {}) : await deleteTags(t, resource, { headers });
        const what = `${isPut ? 'PUT' : 'DELETE'} with If-Match: ${value}`;
        assert.equal(reply.status, 412, `${what}: expected 412, got ${shown(reply)}`);
      }
      assert.deepEqual(await tagsOf(t, resource), set, 'expected nothing to change');
    },
  },
  {
    id: 'tags/if-match/empty',
    requirements: ['TAG-049'],
    level: 'MUST',
    beyond: true,
    explanation: 'An empty If-Match never matches, so that a write with one does not happen.',
    run: async (t) => {
      const resource = newWorker(t);
      await assertNoMatch(t, resource, await t.setTags(resource, { a: '1' }), '');
    },
  },
);
