import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { assertSuccess, shown } from '../../../steps/replies.ts';
import { fewRequests, fewTags, only } from '../../../steps/settings.ts';
import { assertRefusal, refuses, refusals, tooManyTags } from '../support/refusals.ts';
import { numbered } from '../support/tagged-resources.ts';

const { account_tags_max: ofAccount, resource_tags_max: ofResource } = fewTags;

/** Returns so many tags. Another prefix gives different tags. */
function some(count: number, prefix = 'k'): Readonly<Record<string, string>> {
  return Object.fromEntries(numbered(count, prefix).map((key) => [key, '']));
}

/** Sets tags and returns the reply. */
async function set(t: Context, id: string, tags: Readonly<Record<string, string>>, more = {}): Promise<RestReply> {
  return await t.tags('PUT', '/tags', { body: { resource_type: 'worker', resource_id: id, tags }, ...more });
}

const { requests, seconds } = fewRequests.rate_tags;

async function many(t: Context, count: number): Promise<readonly RestReply[]> {
  const path = `/tags/values/${t.name('none')}`;
  return await Promise.all(Array.from({ length: count }, async () => await t.tags('GET', path, { waits: false })));
}

export const tagCountLimits: Suite = suite(
  {
    id: 'tags/limits/counts',
    requirements: ['TAG-142', 'TAG-143', 'TAG-146', 'TAG-149', 'TAG-167'],
    level: 'MUST',
    beyond: true,
    needs: ['settings', 'zone id'],
    settings: fewTags,
    explanation:
      'The tags of an account and those of a resource are limited; a set that does not raise their number passes.',
    run: async (t) => {
      const [a, b, c] = [t.name('a'), t.name('b'), t.name('c')];
      const passes = async (id: string, tags: Readonly<Record<string, string>>, what: string): Promise<void> => {
        const made = assertSuccess(await set(t, id, tags), 200, what);
        assert.deepEqual(made.tags, tags, `${what}: expected these tags`);
      };
      const refusesSet = async (id: string, count: number, maximum: number, what: string): Promise<void> =>
        assertRefusal(await set(t, id, some(count)), tooManyTags(maximum), what);

      await refusesSet(a, ofResource + 1, ofResource, 'one tag too many for a resource');
      await passes(a, some(ofResource), 'as many tags as a resource may have');
      await refusesSet(a, ofResource + 1, ofResource, 'one more tag on a resource that is full');
      await passes(a, some(ofResource, 'other'), 'other tags on a resource that is full');
      const left = ofAccount - ofResource;
      const zoned = { resource_type: 'dns_record', resource_id: t.name('record') };
      await t.setTags(zoned, some(1), { at: 'zone' });
      await refusesSet(b, left, ofAccount, 'one tag too many for an account, whose zone has one, too');
      await passes(b, some(left - 1), 'as many tags as an account may have');
      await refusesSet(c, 1, ofAccount, 'one more tag in an account that is full');
      const inZone = await t.tags('PUT', '/tags', { at: 'zone', body: { ...zoned, tags: some(2) } });
      assertRefusal(inZone, tooManyTags(ofAccount), 'one more tag in a zone of an account that is full');
      assert.equal((await t.setTags(zoned, some(1, 'o'), { at: 'zone' })).id, zoned.resource_id);
      await refusesSet(c, 0, ofAccount, 'an empty record in an account that is full');
      await passes(b, some(left - 1, 'other'), 'as many others in an account that is full');
      const kept = assertSuccess(await t.tags('GET', `/tags?resource_type=worker&resource_id=${b}`), 200, 'GET');
      await refusesSet(b, left, ofAccount, 'one more tag on a resource of an account that is full');
      const after = assertSuccess(await t.tags('GET', `/tags?resource_type=worker&resource_id=${b}`), 200, 'GET');
      assert.deepEqual(after, kept, 'expected a refused set to change nothing');
      const stale = { headers: { 'if-match': '"v1:none"' } };
      assertRefusal(await set(t, b, some(left), stale), refusals.noMatch, 'a stale etag and a tag too many');
      const unknown = { resource_type: 'account', resource_id: t.name('no-account'), tags: some(1) };
      const { status } = await t.tags('PUT', '/tags', { body: unknown });
      assert.equal(status, 404, 'expected 404 of a resource that does not exist before the number of tags');
      await passes(b, some(left - 2), 'one tag fewer');
      await passes(c, some(1), 'the tag that became free');
      await t.tags('DELETE', '/tags', { body: { resource_type: 'worker', resource_id: a } });
      await passes(c, some(1 + ofResource - 1), 'as many tags as a deleted record had');
      await passes(a, {}, 'an empty record, which counts as a tag');
      await t.tags('DELETE', '/tags', { body: { resource_type: 'worker', resource_id: a } });
      await passes(a, some(1), 'a tag in the place of a deleted empty record');
      // Limits without a setting stay.
      const fixed = { resource_type: 'worker', resource_id: c };
      await refuses(t, ['PUT', '/tags', { ...fixed, tags: { ['k'.repeat(257)]: '' } }], refusals.keyTooLong);
      await refuses(t, ['PUT', '/tags', { ...fixed, tags: { k: 'v'.repeat(1025) } }], refusals.valueTooLong);
    },
  },
  {
    id: 'tags/races/limit-of-account',
    requirements: ['TAG-174', 'TAG-142'],
    level: 'MUST',
    beyond: true,
    needs: ['settings', 'other account'],
    settings: only(fewTags, 'account_tags_max'),
    explanation: 'Of many sets at once only as many pass as the account has room for tags.',
    run: async (t) => {
      const { account, apiToken: token } = t.other;
      const there = { at: { account }, token };
      for (const each of [1, 3]) {
        const ids = numbered(Math.ceil(ofAccount / each) + 6, t.name('id'));
        const replies = await Promise.all(ids.map(async (id) => await set(t, id, some(each), there)));
        const passed = replies.filter(({ status }) => status === 200).length;
        assert.equal(passed, Math.floor(ofAccount / each), `${each} tags at once: expected so many sets to pass`);
        for (const reply of replies) {
          if (reply.status !== 200) assertRefusal(reply, tooManyTags(ofAccount), `a set of ${each} tags at once`);
        }
        for (const id of ids) {
          await t.tags('DELETE', '/tags', { ...there, body: { resource_type: 'worker', resource_id: id } });
        }
      }
    },
  },
  {
    id: 'tags/limits/rate',
    requirements: ['TAG-144'],
    level: 'SHOULD',
    needs: ['settings', 'read token'],
    settings: fewRequests,
    explanation: 'Requests of tagging are limited for each credential, apart from those of repos, until Retry-After.',
    run: async (t) => {
      const replies = await many(t, 3 * requests);
      const refused = replies.filter(({ status }) => status === 429);
      const passed = replies.filter(({ status }) => status === 200);
      assert.equal(
        passed.length + refused.length,
        replies.length,
        `expected 200 or 429, got ${replies.map(shown).join()}`,
      );
      assert.ok(passed.length >= requests, `expected at least ${requests} to pass, not ${passed.length}`);
      assert.ok(refused.length > 0, `expected some of ${replies.length} at once to be refused`);
      const pauses = refused.map((reply) => {
        assertRefusal(reply, refusals.rate, 'a request above the rate');
        const pause = reply.headers.get('retry-after') ?? '(none)';
        assert.match(pause, /^[1-9]\d*$/, 'expected Retry-After in whole seconds, at least 1');
        return Number(pause);
      });
      const pause = Math.max(...pauses);
      assert.ok(pause <= seconds, `expected a Retry-After of at most ${seconds} s, not ${pause}`);
      const other = await t.tags('GET', '/tags/keys', { token: t.readToken, waits: false });
      assertSuccess(other, 200, 'a request with another credential');
      const repo = await t.rest('GET', `/namespaces/${t.name('none')}`);
      assert.equal(repo.status, 404, 'expected requests of tagging not to count for repos');
      await wait(pause * 1000);
      const path = '/tags/keys';
      assertSuccess(await t.tags('GET', path, { waits: false }), 200, 'a request after Retry-After has passed');
    },
  },
);
