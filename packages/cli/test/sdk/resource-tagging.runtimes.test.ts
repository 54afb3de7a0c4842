import Cloudflare, { APIError, AuthenticationError, BadRequestError, InternalServerError } from 'cloudflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure } from './outcomes.ts';
import { servedClient, type ServedClient } from './served-client.ts';

let served: ServedClient;
/** The SDK's client for tags, which all calls below use. */
let tagging: Cloudflare['resourceTagging'];
/** The parameter that names the account or zone. */
let account: { readonly account_id: string };
let zone: { readonly zone_id: string };

beforeAll(async () => {
  served = await servedClient();
  tagging = served.client.resourceTagging;
  account = { account_id: served.account };
  zone = { zone_id: served.zone };
});

afterAll(() => served.stop());

const emptyEtag = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

describe('the SDK of the public service, with its base URL changed', () => {
  it('TAG-001, TAG-002: sets and gets tags of a resource of the account', async () => {
    const resource = { ...account, resource_type: 'kv_namespace', resource_id: 'séances/1+1 &c.' } as const;
    // Own members, some of which look special (TAG-052).
    const tags = Object.fromEntries([
      ['environment', 'production'],
      ['__proto__', 'x'],
      ['10', ''],
      ['Équipe', 'Données, 50%'],
    ]);
    const set = await tagging.accountTags.update({ ...resource, tags });
    expect(set).toEqual({
      id: resource.resource_id,
      type: 'kv_namespace',
      name: resource.resource_id,
      tags,
      etag: expect.stringMatching(/^v1:[\w-]{22}$/),
      tags_updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Object.hasOwn(set.tags, '__proto__')).toBe(true);
    expect(await tagging.accountTags.get(resource)).toEqual(set);
    expect((await tagging.accountTags.update({ ...resource, tags: {} })).etag).toBe(emptyEtag);
  });

  it('TAG-033: names the worker of a version', async () => {
    const version = {
      ...account,
      resource_type: 'worker_version',
      resource_id: '7c0e',
      worker_id: 'b1d2',
    } as const;
    const tags = { environment: 'production', team: 'platform' };
    const set = await tagging.accountTags.update({ ...version, tags });
    expect(set).toMatchObject({ tags, worker_id: 'b1d2', etag: 'v1:TQa2wNntoLzkR3dLOCiIug' });
    expect(await tagging.accountTags.get(version)).toEqual(set);
  });

  it('TAG-004, TAG-005: sets and gets tags of a resource of a zone', async () => {
    const record = { ...zone, resource_type: 'dns_record', resource_id: '5d20' } as const;
    const set = await tagging.zoneTags.update({ ...record, tags: { owner: 'dns-team' } });
    expect(set).toMatchObject({ type: 'dns_record', zone_id: served.zone, etag: 'v1:VzRtFPHFpV8WcGKgsnG2DQ' });
    expect(await tagging.zoneTags.get(record)).toEqual(set);
    const policy = {
      ...zone,
      resource_type: 'access_application_policy',
      resource_id: 'p',
      access_application_id: 'a',
    } as const;
    expect(await tagging.zoneTags.update({ ...policy, tags: {} })).toMatchObject({ access_application_id: 'a' });
  });

  it('TAG-045 to TAG-048: sets with If-Match, with an etag from a reply', async () => {
    const queue = { ...account, resource_type: 'queue', resource_id: 'orders' } as const;
    const first = await tagging.accountTags.update({ ...queue, tags: { a: '1' }, 'If-Match': emptyEtag });
    const second = await tagging.accountTags.update({ ...queue, tags: { a: '2' }, 'If-Match': first.etag });
    const refused = await failure(tagging.accountTags.update({ ...queue, tags: { a: '3' }, 'If-Match': first.etag }));
    expect(refused).toBeInstanceOf(APIError);
    expect(refused).toMatchObject({ status: 412, errors: [{ code: 10412, message: 'etag does not match' }] });
    expect(await tagging.accountTags.get(queue)).toEqual(second);

    const image = { ...zone, resource_type: 'healthcheck', resource_id: 'h' } as const;
    const stale = { ...image, tags: {}, 'If-Match': first.etag };
    expect(await failure(tagging.zoneTags.update(stale))).toMatchObject({ status: 412 });
  });

  it.each([
    ['TAG-156', 400, 1006, { resource_type: 'zone', resource_id: 'x' }],
    ['TAG-155', 400, 1003, { resource_type: 'worker', resource_id: '' }],
    ['TAG-166', 400, 10100, { resource_type: 'worker_version', resource_id: 'x' }],
  ])('%s: throws a BadRequestError with the code of the reply (%i, %i)', async (_, status, code, resource) => {
    const error = await failure(tagging.accountTags.get({ ...account, ...resource } as GetParams));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status, errors: [{ code }] });
  });

  it('TAG-016, TAG-019: throws its own classes for a token without access', async () => {
    const other = new Cloudflare({ apiToken: 'wrong', baseURL: served.client.baseURL });
    const error = await failure(other.resourceTagging.keys.list(account));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, errors: [{ code: 10000, message: 'Authentication error' }] });
    const foreign = await failure(tagging.keys.list({ account_id: 'other' }));
    expect(foreign).toBeInstanceOf(Cloudflare.PermissionDeniedError);
    expect(foreign).toMatchObject({ errors: [{ code: 10000, message: 'Insufficient permission' }] });
  });

  it('TAG-055: throws an InternalServerError for a resource without tags', async () => {
    const missing = { ...account, resource_type: 'worker', resource_id: 'nope' } as const;
    const error = await failure(tagging.accountTags.get(missing, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({
      status: 500,
      errors: [{ code: 10200, message: 'resource not found: type=worker id=nope' }],
    });
  });
});

type GetParams = Parameters<Cloudflare['resourceTagging']['accountTags']['get']>[0];
