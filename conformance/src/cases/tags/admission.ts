import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, RestReply, TagsOptions } from '../../core/context.ts';
import { sample } from '../../tools/dice.ts';
import { assertSuccess } from '../../steps/replies.ts';
import { newDnsRecord, newWorker, pathOf, putTags, readTags, tagsOf } from './support/one-resource.ts';
import { assertRefusal, refusals } from './support/refusals.ts';
import { untaggedMode } from './support/untagged.ts';

type Asked = readonly [method: string, path: string, body?: unknown];

/** One request for each route below an account. Only the route is valid. */
const accountRoutes: readonly Asked[] = [
  ['GET', '/tags'],
  ['HEAD', '/tags'],
  ['PUT', '/tags', '{'],
  ['DELETE', '/tags', '{'],
  ['GET', '/tags/resources?tag='],
  ['GET', '/tags/keys?cursor=none'],
  ['GET', '/tags/values/%'],
  ['GET', '/tags/summary'],
];

const zoneRoutes: readonly Asked[] = accountRoutes.slice(0, 4);

/** Asserts that one of the routes refuses a request in the same way. Each run chooses others. */
async function assertAllRefused(
  t: Context,
  routes: readonly Asked[],
  options: TagsOptions,
  refusal: (typeof refusals)['permission'],
): Promise<void> {
  for (const [method, path, body] of sample(t, routes, 1)) {
    const reply = await t.tags(method, path, { ...options, ...(body === undefined ? {} : { body }) });
    if (method === 'HEAD') assert.equal(reply.status, refusal.status, `HEAD ${path}: expected ${refusal.status}`);
    else assertRefusal(reply, refusal, `${method} ${path}`);
    if (refusal.status === 401) {
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer', `${method} ${path}: expected WWW-Authenticate`);
    }
  }
}

/** Asserts that two replies are equal, except values that are new in each. */
function assertSameReply(one: RestReply, other: RestReply, what: string): void {
  assert.deepEqual([one.status, one.text], [other.status, other.text], what);
}

export const tagAdmission: Suite = suite(
  {
    id: 'tags/admission/credentials',
    requirements: ['TAG-016', 'TAG-170', 'REPO-031'],
    level: 'MUST',
    explanation: 'Anything but a known API token as Bearer is 401 on every route, also the token of a repo.',
    run: async (t) => {
      const { token } = await t.createRepo();
      const resource = newWorker(t);
      const set = await t.setTags(resource, { a: 'b' });
      await assertAllRefused(t, accountRoutes, { token: null }, refusals.authentication);
      const basic = Buffer.from(`x:${t.apiToken}`).toString('base64');
      const others: readonly (readonly [what: string, authorization: string])[] = [
        ['an empty header', ''],
        ['no token', 'Bearer'],
        ['an unknown token', 'Bearer nobody-has-this-token'],
        ['another scheme', `Token ${t.apiToken}`],
        ['Basic', `Basic ${basic}`],
        ['the token alone', t.apiToken],
        ['a repo token', `Bearer ${token}`],
        ['the secret of a repo token', `Bearer ${token.split('?')[0]}`],
      ];
      for (const [what, authorization] of sample(t, others, 2)) {
        const reply = await t.tags('GET', pathOf(resource), { token: null, headers: { authorization } });
        assertRefusal(reply, refusals.authentication, `GET with ${what}`);
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer', `GET with ${what}: expected WWW-Authenticate`);
      }
      const put = await putTags(t, resource, {}, { token });
      assertRefusal(put, refusals.authentication, 'PUT with a repo token');
      assert.deepEqual(await tagsOf(t, resource), set, 'expected refused requests to change nothing');
    },
  },
  {
    id: 'tags/admission/zone-credentials',
    requirements: ['TAG-016'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'A zone asks for a credential as an account does.',
    run: async (t) => {
      await assertAllRefused(t, zoneRoutes, { at: 'zone', token: null }, refusals.authentication);
      await assertAllRefused(t, zoneRoutes, { at: 'zone', token: 'nobody-has-this-token' }, refusals.authentication);
    },
  },
  {
    id: 'tags/admission/scheme',
    requirements: ['TAG-016', 'TAG-017', 'REPO-030'],
    level: 'MUST',
    explanation: 'The scheme name has any case, and who may write may also read.',
    run: async (t) => {
      const resource = newWorker(t);
      await t.setTags(resource, {});
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${t.apiToken}` };
        await tagsOf(t, resource, { token: null, headers });
      }
      assertSuccess(await t.tags('GET', '/tags/keys'), 200, 'GET /tags/keys with a token that may write');
    },
  },
  {
    id: 'tags/admission/read',
    requirements: ['TAG-017', 'TAG-018', 'TAG-019'],
    level: 'MUST',
    needs: ['read token'],
    explanation: 'A token that may only read gets every record and list, and changes nothing.',
    run: async (t) => {
      const resource = newWorker(t);
      const key = t.name('key');
      const set = await t.setTags(resource, { [key]: 'b' });
      const token = t.readToken;
      assert.deepEqual(await tagsOf(t, resource, { token }), set, 'expected the tags');
      assert.equal((await t.tags('HEAD', pathOf(resource), { token })).status, 200, 'HEAD: expected 200');
      const lists = [`/tags/resources?tag=${key}`, '/tags/keys', `/tags/values/${key}`, '/tags/summary'];
      for (const path of sample(t, lists, 1)) {
        assertSuccess(await t.tags('GET', path, { token }), 200, `GET ${path} with a token that may only read`);
      }
      const writes = [
        ['PUT', { ...resource, tags: {} }],
        ['DELETE', resource],
        ...sample(t, [['PUT', '{'] as const, ['DELETE', '{'] as const], 1),
      ] as const;
      for (const [method, body] of writes) {
        const headers = { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' };
        const reply = await t.tags(method, '/tags', { token, body, headers });
        assertRefusal(reply, refusals.permission, `${method} with a token that may only read`);
      }
      assert.deepEqual(await tagsOf(t, resource), set, 'expected the tags as they were');
    },
  },
  {
    id: 'tags/admission/read-zone',
    requirements: ['TAG-017', 'TAG-018'],
    level: 'MUST',
    needs: ['read token', 'zone id'],
    explanation: 'A token that may read an account reads its zones, and writes to none of them.',
    run: async (t) => {
      const resource = newDnsRecord(t);
      const set = await t.setTags(resource, { a: 'b' }, { at: 'zone' });
      const options = { at: 'zone', token: t.readToken } as const;
      assert.deepEqual(await tagsOf(t, resource, options), set, 'expected the tags');
      assertRefusal(await putTags(t, resource, {}, options), refusals.permission, 'PUT');
      const removed = await t.tags('DELETE', '/tags', { ...options, body: resource });
      assertRefusal(removed, refusals.permission, 'DELETE');
      assert.deepEqual(await tagsOf(t, resource, { at: 'zone' }), set, 'expected the tags as they were');
    },
  },
  {
    id: 'tags/admission/unknown-places',
    requirements: ['TAG-018', 'TAG-019', 'TAG-170', 'REPO-032'],
    level: 'MUST',
    explanation: 'A valid token is refused with 403 for an account or zone that there is not.',
    run: async (t) => {
      const none = t.name('none').slice(0, 64);
      await assertAllRefused(t, accountRoutes, { at: { account: none } }, refusals.permission);
      await assertAllRefused(t, zoneRoutes, { at: { zone: none } }, refusals.permission);
    },
  },
  {
    id: 'tags/admission/other-account',
    requirements: ['TAG-018', 'TAG-019'],
    level: 'MUST',
    needs: ['other account'],
    explanation: 'An account that a token does not cover is refused as one that there is not.',
    run: async (t) => {
      const theirs = { at: { account: t.other.account } } as const;
      const none = { at: { account: t.name('none').slice(0, 64) } } as const;
      await assertAllRefused(t, accountRoutes, theirs, refusals.permission);
      await assertAllRefused(t, accountRoutes, { token: t.other.apiToken }, refusals.permission);
      const resource = newWorker(t);
      const replies = [await readTags(t, resource, theirs), await readTags(t, resource, none)] as const;
      assertSameReply(...replies, 'expected no difference between an account that exists and one that does not');
    },
  },
  {
    id: 'tags/admission/other-zone',
    requirements: ['TAG-018', 'TAG-019'],
    level: 'MUST',
    needs: ['other account', 'zone id'],
    explanation: 'A zone of another account is refused as one that there is not.',
    run: async (t) => {
      const resource = newDnsRecord(t);
      const set = await t.setTags(resource, { a: 'b' }, { at: 'zone' });
      const token = t.other.apiToken;
      await assertAllRefused(t, zoneRoutes, { at: 'zone', token }, refusals.permission);
      assertRefusal(await putTags(t, resource, {}, { at: 'zone', token }), refusals.permission, 'PUT');
      const none = { at: { zone: t.name('none').slice(0, 64) }, token } as const;
      const replies = [await readTags(t, resource, { at: 'zone', token }), await readTags(t, resource, none)] as const;
      assertSameReply(...replies, 'expected no difference between a zone that exists and one that does not');
      assert.deepEqual(await tagsOf(t, resource, { at: 'zone' }), set, 'expected the tags as they were');
    },
  },
  {
    id: 'tags/admission/separate',
    requirements: ['REPO-011', 'TAG-018'],
    level: 'MUST',
    needs: ['other account'],
    explanation: 'Tags of equal resources of two accounts never meet: not in records, lists or removals.',
    run: async (t) => {
      const resource = newWorker(t, 'both');
      const key = t.name('key');
      const theirs = { at: { account: t.other.account }, token: t.other.apiToken } as const;
      const mine = await t.setTags(resource, { [key]: 'mine' });
      await untaggedMode(t, resource, theirs);
      assert.deepEqual(assertSuccess(await t.tags('GET', `/tags/values/${key}`, theirs), 200, 'their values'), []);
      const other = await t.setTags(resource, { [key]: 'theirs' }, theirs);
      assert.deepEqual(await tagsOf(t, resource), mine, 'expected the tags of the first account');
      const list = async (options: TagsOptions): Promise<unknown> =>
        assertSuccess(await t.tags('GET', `/tags/resources?tag=${key}`, options), 200, 'the list of resources');
      assert.deepEqual(await list({}), [mine], 'expected the resource of the first account alone');
      assert.deepEqual(await list(theirs), [other], 'expected the resource of the other account alone');
      await t.tags('DELETE', '/tags', { body: resource });
      assert.deepEqual(await tagsOf(t, resource, theirs), other, 'expected the tags of the other account to stay');
    },
  },
);
