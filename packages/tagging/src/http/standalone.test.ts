import { memoryTagStores } from '../stores/memory.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { FailureRecord } from '@packhouse/base';
import {
  defaultResourceTypes,
  listedZones,
  tagging,
  type AuthorizeRequest,
  type ResourceIdentity,
  type SetTagsOutcome,
  type TagChange,
  type TaggingOptions,
  type TagStore,
} from '../index.ts';

const origin = 'https://app.test';

/** A user's e-mail and key may write tags in `a1`; a bearer token may read them. */
const authorize: AuthorizeRequest = async ({ headers }) => {
  const [email, key] = [headers.get('x-auth-email'), headers.get('x-auth-key')];
  if (email === 'ann@app.test' && key === 'k1') {
    return { credential: email, grants: [{ account: 'a1', permission: 'tag.write' }] };
  }
  return headers.get('authorization') === 'Bearer reader'
    ? { credential: 'reader', grants: [{ account: 'a1', permission: 'Tag Read' }] }
    : undefined;
};
const pair = { 'x-auth-email': 'ann@app.test', 'x-auth-key': 'k1' };

const minimal = (options: Partial<TaggingOptions> = {}): TaggingOptions => ({
  store: memoryTagStores(),
  authorize,
  ...options,
});

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = pair): Request =>
  new Request(`${origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const worker = { resource_type: 'worker', resource_id: 'w1' };

/** Reads the reply to a request that the handler accepts. */
async function said(handle: (request: Request) => Promise<Response> | undefined, asked: Request): Promise<Said> {
  const response = await handle(asked);
  if (response === undefined) throw new Error(`${asked.url} was left to the app`);
  const text = await response.text();
  return { response, json: text === '' ? undefined : JSON.parse(text) };
}

interface Said {
  readonly response: Response;
  // Tests know the shape of the reply.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

describe('tagging alone', () => {
  it('is mounted in a Hono app without affecting its other routes', async () => {
    const tags = tagging(minimal());
    const app = new Hono();
    app.use((context, next) => tags(context.req.raw) ?? next());
    app.get('/v4/accounts/:id/users', (context) => context.json({ users: context.req.param('id') }));
    app.get('/v4/zones/:id', (context) => context.json({ zone: context.req.param('id') }));
    const set = await app.request(request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: { team: 'core' } }));
    expect([set.status, (await set.json()).result.tags]).toEqual([200, { team: 'core' }]);
    expect(await (await app.request(request('GET', '/v4/accounts/a1/users'))).json()).toEqual({ users: 'a1' });
    expect(await (await app.request(request('GET', '/v4/zones/z1'))).json()).toEqual({ zone: 'z1' });
    expect((await app.request(request('GET', '/v4/accounts/a1/tags/'))).status).toBe(404);
    expect(await (await app.request(request('GET', '/elsewhere'))).text()).toBe('404 Not Found');
  });

  it('returns undefined for other paths of a plain fetch handler', async () => {
    const tags = tagging(minimal({ basePath: '/api/v1' }));
    const handle = (asked: Request): Promise<Response> | Response => tags(asked) ?? new Response('the app');
    expect((await handle(request('GET', '/api/v1/accounts/a1/tags/keys'))).status).toBe(200);
    for (const path of [
      '/',
      '/v4/accounts/a1/tags',
      '/api/v2/accounts/a1/tags',
      '/api/v1',
      '/api/v1x/accounts/a1/tags',
      '/api/v1/accounts/a1',
    ]) {
      expect(await (await handle(request('GET', path))).text()).toBe('the app');
    }
  });

  it('may be mounted at the root', async () => {
    const { response } = await said(tagging(minimal({ basePath: '' })), request('GET', '/accounts/a1/tags/keys'));
    expect(response.status).toBe(200);
  });

  it('uses a store of the app that is written with the types of this entry only', async () => {
    const kept = memoryTagStores();
    const seen: ResourceIdentity[] = [];
    const store = (account: string): TagStore => ({
      ...kept(account),
      async set(change: TagChange): Promise<SetTagsOutcome> {
        seen.push(change.resource);
        return await kept(account).set(change);
      },
    });
    const put = request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: { env: 'prod' } });
    expect((await said(tagging(minimal({ store })), put)).json.result.tags).toEqual({ env: 'prod' });
    expect(seen).toEqual([{ type: 'worker', zone: null, parent: null, id: 'w1' }]);
  });

  it('TAG-020: accepts an e-mail and key, or any credential of the app', async () => {
    const tags = tagging(minimal());
    const set = await said(tags, request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: { a: '' } }));
    expect(set.response.status).toBe(200);
    const read = { authorization: 'Bearer reader' };
    expect((await said(tags, request('GET', '/v4/accounts/a1/tags/keys', undefined, read))).json.result).toEqual(['a']);
    const answers = [
      request('GET', '/v4/accounts/a1/tags/keys', undefined, { 'x-auth-email': 'ann@app.test' }),
      request('GET', '/v4/accounts/a1/tags/keys', undefined, { ...pair, 'x-auth-key': 'k2' }),
      request('DELETE', '/v4/accounts/a1/tags', worker, read),
      request('GET', '/v4/accounts/a2/tags/keys'),
    ].map(async (asked) => (await said(tags, asked)).response.status);
    expect(await Promise.all(answers)).toEqual([401, 401, 403, 403]);
  });

  it('TAG-144: counts by the credential that the app returns', async () => {
    const tags = tagging(minimal({ rate_tags: { requests: 1, seconds: 10 }, clock: { now: () => 0 } }));
    const keys = (headers: Record<string, string>): Request =>
      request('GET', '/v4/accounts/a1/tags/keys', undefined, headers);
    expect((await said(tags, keys(pair))).response.status).toBe(200);
    const refused = await said(tags, keys(pair));
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await said(tags, keys({ authorization: 'Bearer reader' }))).response.status).toBe(200);
  });

  it('TAG-018: asks the app who owns a zone, and has no zones by default', async () => {
    const path = '/v4/zones/z1/tags?resource_type=zone&resource_id=z1';
    expect((await said(tagging(minimal()), request('GET', path))).response.status).toBe(403);
    const owned = tagging(minimal({ zones: listedZones({ z1: 'a1', z2: 'a2' }), tags_not_found: 'empty' }));
    expect((await said(owned, request('GET', path))).json.result).toMatchObject({ id: 'z1', zone_id: 'z1' });
    expect((await said(owned, request('GET', path.replace('z1/', 'z2/')))).response.status).toBe(403);
  });

  it('TAG-125: has the types of the app, with parents, and with own or shared directories', async () => {
    const offices = new Map([['o1', 'Main street']]);
    const tags = tagging(
      minimal({
        resourceTypes: [
          { type: 'office', level: 'account', directory: { find: async ({ id }) => named(offices.get(id)) } },
          { type: 'printer', level: 'account', parent: 'office_id' },
          { type: 'note', level: 'account' },
        ],
        directory: {
          serves: (type) => type === 'printer',
          find: async ({ account, parent, id }) => ({ name: `${account}/${parent}/${id}` }),
        },
      }),
    );
    const put = async (body: object): Promise<readonly unknown[]> => {
      const { response, json } = await said(
        tags,
        request('PUT', '/v4/accounts/a1/tags', { resource_id: 'o1', tags: { a: '1' }, ...body }),
      );
      return [response.status, json.errors[0]?.code ?? json.result.name, json.result?.office_id];
    };
    expect(await put({ resource_type: 'office' })).toEqual([200, 'Main street', undefined]);
    expect(await put({ resource_type: 'office', resource_id: 'o2' })).toEqual([404, 10200, undefined]);
    expect(await put({ resource_type: 'printer', office_id: 'x' })).toEqual([200, 'a1/x/o1', 'x']);
    expect(await put({ resource_type: 'printer' })).toEqual([400, 1002, undefined]);
    expect(await put({ resource_type: 'note' })).toEqual([200, 'o1', undefined]);
    expect(await put({ resource_type: 'worker' })).toEqual([400, 1006, undefined]);
  });

  it('TAG-125: lists resources of a removed type, as its document allows', async () => {
    const store = memoryTagStores();
    await said(tagging(minimal({ store })), request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: { env: '' } }));
    const tags = tagging(minimal({ store, resourceTypes: [{ type: 'printer', level: 'account' }] }));
    const { json } = await said(tags, request('GET', '/v4/accounts/a1/tags/resources'));
    expect(json.result).toMatchObject([{ type: 'worker', id: 'w1' }]);
    const { components } = tags.document as { components: { schemas: { TaggedResource: { properties: object } } } };
    expect(components.schemas.TaggedResource.properties).not.toHaveProperty('type.enum');
  });

  it('TAG-127, TAG-069: lets the app report renamed and deleted resources', async () => {
    const tags = tagging(minimal({ directory: { find: async () => ({ name: 'Till' }) } }));
    await said(tags, request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: { team: 'core' } }));
    const named = async (name: string): Promise<unknown> =>
      (await said(tags, request('GET', `/v4/accounts/a1/tags/resources?name=${name}`))).json.result.length;
    expect(await named('checkout')).toBe(0);
    await tags.resourceRenamed('a1', { type: 'worker', id: 'w1' }, 'Checkout');
    expect(await named('checkout')).toBe(1);
    await tags.resourceDeleted('a1', { type: 'worker', id: 'w1' });
    expect(await named('')).toBe(0);
  });

  it('TAG-127: has no repositories by default', async () => {
    expect(defaultResourceTypes.map(({ type }) => type)).not.toContain('repository');
    const { json } = await said(
      tagging(minimal()),
      request('PUT', '/v4/accounts/a1/tags', { resource_type: 'repository', resource_id: 'x', tags: {} }),
    );
    expect(json.errors[0].code).toBe(1006);
  });

  it('REPO-007, TAG-024: has the header and the settings of the app', async () => {
    const tags = tagging(
      minimal({
        requestIdHeader: 'x-app-id',
        site: 'APP',
        docs_base: 'https://docs.app.test',
        rest_body_max: 10,
        ids: { requestId: () => '0123456789abcdef' },
      }),
    );
    const { response, json } = await said(tags, request('PUT', '/v4/accounts/a1/tags', worker));
    expect([response.status, response.headers.get('x-app-id')]).toEqual([413, '0123456789abcdef-APP']);
    expect(json.errors[0].documentation_url).toBe('https://docs.app.test/tags/errors#10413');
    const deleted = await said(tagging(minimal()), request('DELETE', '/v4/accounts/a1/tags', worker));
    expect([deleted.response.status, deleted.response.headers.get('x-ray-id')]).toEqual([
      204,
      expect.stringMatching(/^[0-9a-f]{16}-LOC$/),
    ]);
  });

  it('REPO-044: replies 500 if a port fails, logs the failure, and reveals nothing to the client', async () => {
    const log: FailureRecord[] = [];
    const failing = async (): Promise<never> => {
      throw new TypeError("no user in '/srv/users'");
    };
    for (const options of [
      { authorize: failing },
      { directory: { find: failing } },
      { zones: { accountOf: failing } },
    ]) {
      const tags = tagging(minimal({ log: (record) => log.push(record), ...options }));
      const path = 'zones' in options ? '/v4/zones/z1/tags' : '/v4/accounts/a1/tags';
      const { response, json } = await said(tags, request('PUT', path, { ...worker, tags: {} }));
      expect([response.status, json.errors[0].code, json.errors[0].message]).toEqual([
        500,
        10400,
        'An internal error occurred.',
      ]);
      expect(log.splice(0)).toEqual([
        {
          event: 'failure',
          request_id: response.headers.get('x-ray-id'),
          error: 'TypeError',
          code: null,
          message: "no user in '<path>'",
        },
      ]);
    }
  });

  it('TAG-144, TAG-147: counts requests with the limiter of the app, after checking the permission', async () => {
    const asked: unknown[] = [];
    const tags = tagging(
      minimal({
        rate_tags: { requests: 7, seconds: 9 },
        createLimiter: (rate) => ({
          async admit(credential) {
            asked.push([rate, credential]);
            return 5;
          },
        }),
      }),
    );
    const reader = { authorization: 'Bearer reader' };
    const put = request('PUT', '/v4/accounts/a1/tags', { ...worker, tags: {} }, reader);
    expect((await said(tags, put)).response.status).toBe(403);
    expect(asked).toEqual([]);
    const { response } = await said(tags, request('GET', '/v4/accounts/a1/tags/keys', undefined, reader));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    expect(asked).toEqual([[{ requests: 7, seconds: 9 }, 'reader']]);
  });

  it('describes itself as OpenAPI, with the credentials of the app', async () => {
    const usual = tagging(minimal()).document;
    expect(usual).toMatchObject({ components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } });
    const own = tagging(
      minimal({
        basePath: '/api',
        openapi: {
          servers: [{ url: origin }],
          securitySchemes: {
            email: { type: 'apiKey', in: 'header', name: 'X-Auth-Email' },
            key: { type: 'apiKey', in: 'header', name: 'X-Auth-Key' },
          },
          security: [{ email: [], key: [] }],
        },
      }),
    ).document;
    for (const document of [usual, own]) {
      const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
      expect(plain).toEqual(document);
      expect(await new Validator().validate(plain)).toEqual({ valid: true });
    }
    expect(own).toMatchObject({
      servers: [{ url: origin }],
      paths: { '/api/accounts/{account_id}/tags': { get: { security: [{ email: [], key: [] }] } } },
    });
  });

  it.each<[string, object, string]>([
    ['a missing store', { store: undefined }, 'store must be a function that gives the store of an account'],
    ['a store of one account', { store: memoryTagStores()('a1') }, 'store must be a function'],
    ['a missing authorize', { authorize: undefined }, 'authorize must be a function that finds the credential'],
    [
      'an option that is none',
      { authorise: authorize },
      'authorise is not an option of tagging; there are store, authorize,',
    ],
    ['a base path with a final slash', { basePath: '/v4/' }, 'basePath must be a path such as /v4 without a final /'],
    ['a base path that no URL has', { basePath: '/api/../v4' }, 'basePath must be a path'],
    ['a base path without a first slash', { basePath: 'v4' }, 'basePath must be a path'],
    ['a base path that is an URL', { basePath: 'https://app.test/v4' }, 'basePath must be a path'],
    ['a header that is none', { requestIdHeader: 'x id' }, 'requestIdHeader must be the name of a header'],
    ['zones that are a record', { zones: { z1: 'a1' } }, 'zones must have a method accountOf'],
    ['a directory that is a function', { directory: () => {} }, 'directory must have a method find'],
    [
      'a limiter that is made already',
      { createLimiter: { admit: () => undefined } },
      'createLimiter must be a function',
    ],
    ['types that are changes', { resourceTypes: { add: [] } }, 'resourceTypes must be a list'],
    [
      'a type of no level',
      { resourceTypes: [{ type: 'x', level: 'user' }] },
      'must have the level "account" or "zone"',
    ],
    [
      'a type twice',
      { resourceTypes: [...defaultResourceTypes, { type: 'worker', level: 'zone' }] },
      '"worker": it is there already',
    ],
    ['a mode that is none', { tags_not_found: 404 }, 'tags_not_found must be "500", "404" or "empty"'],
    ['a rate that is none', { rate_tags: 10 }, 'rate_tags must have the members requests and seconds'],
    ['a clock that is none', { clock: Date }, ''],
    ['a log that is none', { log: console }, 'log must be a function'],
  ])('refuses %s with a message', (_, options, message) => {
    const make = (): unknown => tagging({ ...minimal(), ...options } as TaggingOptions);
    if (message === '') expect(make).not.toThrow();
    else
      expect(make).toThrow(
        expect.objectContaining({ name: 'SettingsError', message: expect.stringContaining(message) }),
      );
  });
});

it('TAG-018: listedZones refuses an id that no path can contain', () => {
  for (const zones of [{ 'shop.example': 'a1' }, { z1: '' }]) {
    expect(() => listedZones(zones)).toThrow(/^zones must be an object of zone ids with the account id/);
  }
});

function named(name: string | undefined): { readonly name: string } | undefined {
  return name === undefined ? undefined : { name };
}
