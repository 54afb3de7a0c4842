import { type Cloudflare, BadRequestError, CloudflareError, NotFoundError } from 'cloudflare';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collect, failure } from './outcomes.ts';
import { servedClient, type SentRequest, type ServedClient } from './served-client.ts';

let served: ServedClient;
/** The requests of the SDK since the test began. */
const sent: SentRequest[] = [];
let tagging: Cloudflare['resourceTagging'];
let account: { readonly account_id: string };

beforeAll(async () => {
  served = await servedClient();
  tagging = served.watched(sent).resourceTagging;
  account = { account_id: served.account };
});

beforeEach(() => {
  sent.length = 0;
});

afterAll(() => served.stop());

describe('what the SDK of the public service cannot do', () => {
  it('TAG-064: delete sends no body and cannot name a resource, except through the options of any request', async () => {
    const queue = { resource_type: 'queue', resource_id: 'orders' } as const;
    const set = await tagging.accountTags.update({ ...account, ...queue, tags: { team: 'shop' } });
    const refused = await failure(tagging.accountTags.delete(account));
    expect(sent.at(-1)).toEqual({ method: 'DELETE', target: `/accounts/${served.account}/tags`, body: undefined });
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ errors: [{ code: 1015, message: 'Invalid delete payload' }] });
    // Parameters that its types do not know stay in the query.
    await failure(tagging.accountTags.delete({ ...account, ...queue } as typeof account));
    expect(sent.at(-1)).toEqual(sent.at(-2));
    expect(await tagging.accountTags.get({ ...account, ...queue })).toEqual(set);

    const stale = { ...account, 'If-Match': 'v1:RBNvo1WzZ4oRRq0W9-hkng' };
    expect(await failure(tagging.accountTags.delete(stale, { body: queue }))).toMatchObject({ status: 412 });
    expect(await tagging.accountTags.delete({ ...account, 'If-Match': set.etag }, { body: queue })).toBeNull();
    expect(await collect(tagging.list({ ...account, type: ['queue'] }))).toEqual([]);

    const zone = { zone_id: served.zone };
    const record = { resource_type: 'dns_record', resource_id: '5d20' } as const;
    await tagging.zoneTags.update({ ...zone, ...record, tags: { owner: 'dns-team' } });
    expect(await failure(tagging.zoneTags.delete(zone))).toMatchObject({ errors: [{ code: 1015 }] });
    await tagging.zoneTags.delete(zone, { body: record });
    expect(await collect(tagging.list({ ...account, type: ['dns_record'] }))).toEqual([]);
  });

  it('TAG-010: the summary is not a list and hides its cursor, but the raw reply has it', async () => {
    for (const half of [0, 1]) {
      const keys = Array.from({ length: 75 }, (_, number) => [`summary-${half * 75 + number}`, 'x']);
      const tags = Object.fromEntries(keys) as Record<string, string>;
      await tagging.accountTags.update({ ...account, resource_type: 'image', resource_id: `half-${half}`, tags });
    }
    const first = await tagging.summary.get(account);
    expect(Array.isArray(first)).toBe(true);
    expect(first).toHaveLength(100);
    const reply = (await (await tagging.summary.get(account).asResponse()).json()) as SummaryReply;
    expect(reply.result).toEqual(first);
    const rest = await tagging.summary.get({ ...account, cursor: reply.result_info.cursor });
    expect([...first, ...rest].map(({ key }) => key)).toEqual(await collect(tagging.keys.list(account)));
  });

  it('TAG-082: filters cannot contain a value with a comma, since the whole text is encoded', async () => {
    const tags = { note: 'a,b' };
    await tagging.accountTags.update({ ...account, resource_type: 'image', resource_id: 'commas', tags });
    const byNote = async (filter: string) => (await collect(tagging.list({ ...account, tag: [filter] }))).length;
    expect(await byNote('note=a,b')).toBe(0);
    expect(sent.at(-1)?.target).toMatch(/\?tag=note%3Da%2Cb$/);
    expect(await byNote('note=a%2Cb')).toBe(0);
    expect(sent.at(-1)?.target).toMatch(/\?tag=note%3Da%252Cb$/);
    // Not even if the query is part of the path in a manual call.
    const byHand = await served.watched(sent).get(`/accounts/${served.account}/tags/resources?tag=note=a%2Cb`);
    expect(byHand).toMatchObject({ result: [] });
    expect(sent.at(-1)?.target).toMatch(/\?tag=note%3Da%2Cb$/);
    const { origin } = new URL(served.client.baseURL);
    const literal = await fetch(`${origin}/client/v4/accounts/${served.account}/tags/resources?tag=note=a%2Cb`, {
      headers: { authorization: `Bearer ${served.client.apiToken}` },
    });
    expect(await literal.json()).toMatchObject({ result: [{ id: 'commas' }] });
  });

  it('TAG-131: the values of a key of one or two dots cannot be requested', async () => {
    const tags = { '.': 'one', '..': 'two', '...': 'three' };
    await tagging.accountTags.update({ ...account, resource_type: 'image', resource_id: 'dots', tags });
    sent.length = 0;
    for (const key of ['.', '..']) {
      expect(() => tagging.values.list(key, account)).toThrow(CloudflareError);
    }
    expect(sent).toEqual([]);
    expect(await collect(tagging.values.list('...', account))).toEqual(['three']);
  });

  it('TAG-055: a resource without tags is requested three times, like any 500, unless retries are off', async () => {
    const missing = { ...account, resource_type: 'worker', resource_id: 'nope' } as const;
    expect(await failure(tagging.accountTags.get(missing))).toMatchObject({ status: 500 });
    expect(sent).toHaveLength(3);
    expect(await failure(tagging.accountTags.get(missing, { maxRetries: 0 }))).toMatchObject({ status: 500 });
    expect(sent).toHaveLength(4);
  });

  it('TAG-050: update without tags is allowed by its types, and refused', async () => {
    const queue = { ...account, resource_type: 'queue', resource_id: 'orders' } as const;
    expect(await failure(tagging.accountTags.update(queue))).toMatchObject({ errors: [{ code: 1002 }] });
  });

  it('TAG-127: a type that its types do not know needs a cast, and works', async () => {
    const repository = { ...account, resource_type: 'repository' as 'worker', resource_id: 'nope' } as const;
    const error = await failure(tagging.accountTags.update({ ...repository, tags: {} }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ errors: [{ code: 10200, message: 'resource not found: type=repository id=nope' }] });
  });
});

interface SummaryReply {
  readonly result: unknown;
  readonly result_info: { readonly cursor: string };
}
