import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply, TagIdentity, TagsOptions } from '../../../core/context.ts';
import { sample } from '../../../tools/dice.ts';
import { assertSuccess, shown } from '../../../steps/replies.ts';
import { deleteTags, newDnsRecord, newWorker, pathOf, putTags, readTags, tagsOf } from '../support/one-resource.ts';
import { assertRefusal, refusals } from '../support/refusals.ts';

const tags = { environment: 'production', team: 'platform' };

/** Sets, reads and removes the tags of one resource. */
async function assertRoutes(t: Context, resource: TagIdentity, options: Pick<TagsOptions, 'at'>): Promise<void> {
  const set = await t.setTags(resource, tags, options);
  assert.deepEqual(set.tags, tags, 'PUT: expected the object after the write');
  assert.deepEqual(await tagsOf(t, resource, options), set, 'GET: expected the object that PUT gave');
  const removed = await deleteTags(t, resource, options);
  assert.deepEqual([removed.status, removed.text], [204, ''], `DELETE: expected 204 without a body`);
  assert.equal(removed.headers.get('content-type'), null, 'DELETE: expected no Content-Type');
}

const lists = ['/tags/resources', '/tags/keys', '/tags/values/k', '/tags/summary'];

/** Asserts that some of these paths are not routes. */
async function assertNoRoutes(t: Context, paths: readonly string[], options: TagsOptions): Promise<void> {
  for (const [i, path] of sample(t, paths, 3).entries()) {
    const method = ['GET', 'PUT', 'DELETE', 'POST'][(i + t.seed) % 4] ?? '';
    const reply = await t.tags(method, path, { ...options, ...(method === 'GET' ? {} : { body: {} }) });
    assertRefusal(reply, refusals.noRoute, `${method} ${path}`);
  }
}

async function assertMethods(t: Context, options: TagsOptions, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const methods = path === '/tags' ? ['GET', 'HEAD', 'PUT', 'DELETE'] : ['GET', 'HEAD'];
    const others = ['POST', 'PATCH', 'PUT', 'DELETE'].filter((one) => !methods.includes(one));
    for (const method of sample(t, others, 1)) {
      const reply = await t.tags(method, path, { ...options, body: { tags } });
      assertRefusal(reply, refusals.noMethod, `${method} ${path}`);
      const allow = (reply.headers.get('allow') ?? '').split(',').map((one) => one.trim());
      assert.deepEqual(allow.toSorted(), methods.toSorted(), `${method} ${path}: expected these methods in Allow`);
    }
  }
}

export const tagRoutes: Suite = suite(
  {
    id: 'tags/routes/account',
    requirements: ['TAG-001', 'TAG-002', 'TAG-003'],
    level: 'MUST',
    explanation: 'Tags of a resource of an account are set, read and removed at /accounts/{account_id}/tags.',
    run: async (t) => await assertRoutes(t, newWorker(t), {}),
  },
  {
    id: 'tags/routes/zone',
    requirements: ['TAG-004', 'TAG-005', 'TAG-006'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'Tags of a resource of a zone are set, read and removed at /zones/{zone_id}/tags.',
    run: async (t) => await assertRoutes(t, newDnsRecord(t), { at: 'zone' }),
  },
  {
    id: 'tags/routes/lists',
    requirements: ['TAG-007', 'TAG-008', 'TAG-009', 'TAG-010'],
    level: 'MUST',
    explanation: 'An account lists its tagged resources, the keys and values of their tags, and both together.',
    run: async (t) => {
      const resource = newWorker(t);
      const key = t.name('key');
      const set = await t.setTags(resource, { [key]: 'v' });
      const list = async (path: string): Promise<readonly unknown[]> =>
        assertSuccess(await t.tags('GET', path), 200, `GET ${path}`);
      const { resource_id: id } = resource;
      assert.deepEqual(await list(`/tags/resources?tag=${key}&id=${id}`), [set], 'expected the resource');
      assert.deepEqual(await list(`/tags/values/${key}`), ['v'], 'expected the values of the key');
      for (const one of await list('/tags/keys')) assert.equal(typeof one, 'string', 'expected keys');
      for (const item of await list('/tags/summary')) {
        const { key: name, values, ...rest } = item as { readonly key: string; readonly values: readonly string[] };
        assert.deepEqual([typeof name, rest], ['string', {}], 'expected items of key and values');
        assert.ok(values.length > 0 && values.every((value) => typeof value === 'string'), 'expected texts as values');
      }
    },
  },
  {
    id: 'tags/routes/methods',
    requirements: ['TAG-011', 'TAG-170', 'REPO-039'],
    level: 'MUST',
    beyond: true,
    explanation: 'Other methods, POST and PATCH among them, are 405 with the methods of the path in Allow.',
    run: async (t) => await assertMethods(t, {}, ['/tags', ...lists]),
  },
  {
    id: 'tags/routes/zone-methods',
    requirements: ['TAG-011', 'TAG-170', 'REPO-039'],
    level: 'MUST',
    beyond: true,
    needs: ['zone id'],
    explanation: 'So they are on the route of a zone.',
    run: async (t) => await assertMethods(t, { at: 'zone' }, ['/tags']),
  },
  {
    id: 'tags/routes/head',
    requirements: ['TAG-011', 'TAG-170', 'REPO-039'],
    level: 'MUST',
    beyond: true,
    explanation: 'HEAD works wherever GET does, with the same status and headers and no body.',
    run: async (t) => {
      const resource = newWorker(t);
      const key = t.name('key');
      await t.setTags(resource, { [key]: 'v' });
      const paths = [pathOf(resource), '/tags', `/tags/resources?tag=${key}`, `/tags/values/${key}`];
      for (const path of sample(t, paths, 1)) {
        const [get, head] = [await t.tags('GET', path), await t.tags('HEAD', path)];
        assert.deepEqual([head.status, head.text], [get.status, ''], `HEAD ${path}: expected as GET, without a body`);
        for (const header of ['content-type', 'cache-control']) {
          const [one, other] = [head, get].map(({ headers }) => headers.get(header));
          assert.equal(one, other, `HEAD ${path}: expected ${header} as with GET`);
        }
      }
    },
  },
  {
    id: 'tags/routes/options',
    requirements: ['TAG-015'],
    level: 'MAY',
    readOnly: true,
    explanation: 'OPTIONS is left to the host, which refuses it or answers it for other origins, and does not break.',
    run: async (t) => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
      const reply = await t.tags('OPTIONS', '/tags', { token: null, headers });
      assert.ok(reply.status < 500, `expected a refusal or a preflight, got ${shown(reply)}`);
      t.note(`OPTIONS is answered ${reply.status}`);
    },
  },
  {
    id: 'tags/routes/other-paths',
    requirements: ['TAG-012', 'TAG-170', 'REPO-038'],
    level: 'MUST',
    beyond: true,
    explanation: 'Any other path below /tags is 404, also with a slash or a segment more.',
    run: async (t) => {
      const more = ['/', '/none', '/environment', '/resources/', '/resources/x', '/keys/', '/keys/x', '/Keys'];
      const yetMore = ['/values/k/', '/values/k/v', '/values//', '/summary/', '/summary/x', '//keys'];
      await assertNoRoutes(t, [...[...more, ...yetMore].map((path) => `/tags${path}`), '/Tags', '/tag'], {});
      await assertNoRoutes(t, ['/tags/keys'], { at: { account: 'a.1' } });
    },
  },
  {
    id: 'tags/routes/other-zone-paths',
    requirements: ['TAG-012', 'TAG-170', 'REPO-038'],
    level: 'MUST',
    beyond: true,
    needs: ['zone id'],
    explanation: 'A zone has no other path than /tags, and so no lists.',
    run: async (t) => {
      await assertNoRoutes(t, ['/tags/', ...lists, '/tags/values', '/tags/none', '', '/', '/none'], { at: 'zone' });
      await assertNoRoutes(t, ['/tags'], { at: { zone: 'z.1' } });
    },
  },
  {
    id: 'tags/routes/values-without-key',
    requirements: ['TAG-012', 'TAG-158'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'The route of values without a key says that the key is missing, with and without a slash.',
    run: async (t) => {
      for (const path of ['/tags/values', '/tags/values/', '/tags/values/?type=worker']) {
        assertRefusal(await t.tags('GET', path), refusals.keyMissing, `GET ${path}`);
      }
    },
  },
  {
    id: 'tags/routes/names',
    requirements: ['TAG-013'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Names of parameters and members count with their case; unknown ones are ignored, as is the query of a write.',
    run: async (t) => {
      const resource = newWorker(t);
      const set = await t.setTags(resource, tags);
      const { resource_type: type, resource_id: id } = resource;
      const asked = async (path: string): Promise<RestReply> => await t.tags('GET', path);
      const shouted = await asked(`/tags?Resource_Type=${type}&resource_id=${id}`);
      assertRefusal(shouted, refusals.resourceMissing, 'GET with Resource_Type');
      const further = await asked(`${pathOf(resource)}&RESOURCE_TYPE=x&worker_id=w&none=1&none=2&=&x`);
      assert.deepEqual(assertSuccess(further, 200, 'GET with further parameters'), set);
      const list = await asked(`/tags/resources?id=${id}&Tag=%3Dx&TYPE=none&limit=1&page=9`);
      assert.deepEqual(assertSuccess(list, 200, 'a list with parameters that it has not'), [set]);
      const values = await asked('/tags/values/none?case_insensitive=1&tag=none&id=&name=a&name=b&limit=0');
      assertSuccess(values, 200, 'a list of values with parameters of another list');

      const put = async (body: object, path = '/tags'): Promise<RestReply> => await t.tags('PUT', path, { body });
      const { resource_type: _, ...untyped } = resource;
      const refused = await put({ ...untyped, Resource_Type: type, tags });
      assertRefusal(refused, refusals.setPayload, 'PUT with Resource_Type');
      const loud = await put({ ...resource, Tags: tags });
      assertRefusal(loud, refusals.setPayload, 'PUT with Tags');
      const body = { ...resource, Tags: { x: 1 }, none: null, worker_id: 7, tags: { one: '1' } };
      const elsewhere = pathOf({ resource_type: 'none', resource_id: 'none' });
      const replaced = assertSuccess(
        await put(body, `${elsewhere}&tag=%`),
        200,
        'PUT with further members and a query',
      );
      assert.deepEqual(
        [replaced.id, replaced.tags],
        [id, { one: '1' }],
        'expected the body to count, and no more of it',
      );
      const removed = await t.tags('DELETE', elsewhere, { body: { ...resource, none: [] } });
      assert.equal(removed.status, 204, 'DELETE with further members and a query: expected 204');
      const after = await readTags(t, resource);
      assert.notDeepEqual(after.json?.result?.tags, { one: '1' }, 'expected the tags to be removed');
    },
  },
  {
    id: 'tags/routes/no-store',
    requirements: ['TAG-014'],
    level: 'SHOULD',
    beyond: true,
    explanation: 'No reply of tagging may be kept by a cache.',
    run: async (t) => {
      const resource = newWorker(t);
      const replies: (readonly [what: string, reply: RestReply])[] = [
        ['PUT', await putTags(t, resource, tags)],
        ['GET', await readTags(t, resource)],
        ['GET of a list', await t.tags('GET', '/tags/keys')],
        ['DELETE', await deleteTags(t, resource)],
        ['a refused GET', await t.tags('GET', '/tags')],
        ['no credential', await t.tags('GET', '/tags', { token: null })],
        ['no route', await t.tags('GET', '/tags/none')],
        ['no method', await t.tags('POST', '/tags')],
      ];
      for (const [what, { headers }] of replies) {
        assert.equal(headers.get('cache-control'), 'no-store', `${what}: expected Cache-Control: no-store`);
      }
    },
  },
  {
    id: 'tags/routes/request-ids',
    requirements: ['REPO-007'],
    level: 'MUST',
    explanation: 'Every reply of tagging has a request id of its own.',
    run: async (t) => {
      const resource = newWorker(t);
      const replies = [
        await putTags(t, resource, tags),
        await readTags(t, resource),
        await deleteTags(t, resource),
        await t.tags('GET', '/tags'),
        await t.tags('GET', '/tags/keys', { token: null }),
        await t.tags('GET', '/tags/none'),
      ];
      const ids = replies.map(({ headers }) => headers.get(t.dialect.requestIdHeader) ?? '(none)');
      for (const id of ids) assert.match(id, /^[0-9a-f]{16}-[A-Z]{3}$/, 'expected a request id');
      assert.equal(new Set(ids).size, ids.length, 'expected a fresh one each time');
    },
  },
);
