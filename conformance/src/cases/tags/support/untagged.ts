import assert from 'node:assert/strict';
import type { Context, RestReply, TagIdentity, TagsOptions } from '../../../core/context.ts';
import { shown } from '../../../steps/replies.ts';
import { emptyEtag } from './etag-model.ts';
import { readTags } from './one-resource.ts';
import { onlyError } from './refusals.ts';

/** The reply to GET for a resource that has no record, or does not exist (section 6). */
export type NotFoundMode = '500' | '404' | 'empty';

/** The code of the failure. The number goes beyond the public service (TAG-168). */
export const notFoundCode = 10200;

/** TAG-168. */
export function notFoundMessage({ resource_type: type, resource_id: id }: TagIdentity): string {
  return `resource not found: type=${type} id=${id}`;
}

/** Asserts a failure that reports a missing resource, with any code. `what` describes the request. */
export function assertNotFound(reply: RestReply, status: number, resource: TagIdentity, what: string): void {
  assert.equal(reply.status, status, `${what}: expected ${status}, got ${shown(reply)}`);
  assert.equal(onlyError(reply, what).message, notFoundMessage(resource), `${what}: expected this message`);
  assert.equal(reply.headers.get('retry-after'), null, `${what}: expected no Retry-After (TAG-060)`);
}

/** Asserts the reply for a resource without a record, in one of the modes (TAG-055 to TAG-061). Returns the mode. */
export function assertUntagged(
  reply: RestReply,
  resource: TagIdentity,
  what: string,
  zone: string | undefined = undefined,
): NotFoundMode {
  if (reply.status !== 200) {
    assert.ok([404, 500].includes(reply.status), `${what}: expected 200, 404 or 500, got ${shown(reply)}`);
    assertNotFound(reply, reply.status, resource, what);
    return reply.status === 404 ? '404' : '500';
  }
  const { name, ...result } = reply.json?.result ?? {};
  const { resource_type: type, resource_id: id, ...parent } = resource;
  const expected = { id, type, tags: {}, etag: emptyEtag, ...parent, ...(zone !== undefined && { zone_id: zone }) };
  assert.deepEqual(result, expected, `${what}: expected an object without tags or time, got ${shown(reply)}`);
  assert.ok(typeof name === 'string' && name !== '', `${what}: expected a name (TAG-029)`);
  return 'empty';
}

/** Requests a resource without a record. Returns the mode of the service. */
export async function untaggedMode(
  t: Context,
  resource: TagIdentity,
  options: TagsOptions = {},
): Promise<NotFoundMode> {
  const zone = options.at === 'zone' ? t.zoneId : undefined;
  return assertUntagged(await readTags(t, resource, options), resource, 'GET of what has no tags', zone);
}
