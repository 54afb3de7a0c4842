import type { Context, RestReply, TagIdentity, TaggedResource, TagsOptions } from '../../../core/context.ts';
import { assertSuccess } from '../../../steps/replies.ts';

/** Returns a new resource of an account type without a directory. */
export function newWorker(t: Context, word = 'worker'): TagIdentity {
  return { resource_type: 'worker', resource_id: t.name(word) };
}

/** Returns a new resource of a zone type for which our own service has no directory. */
export function newDnsRecord(t: Context): TagIdentity {
  return { resource_type: 'dns_record', resource_id: t.name('record') };
}

/** Returns `/tags` with the query that names a resource. */
export function pathOf(resource: TagIdentity): string {
  const pairs = Object.entries(resource).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/tags?${pairs.join('&')}`;
}

/** Requests the tags of a resource. */
export async function readTags(t: Context, resource: TagIdentity, options: TagsOptions = {}): Promise<RestReply> {
  return await t.tags('GET', pathOf(resource), options);
}

/** Requests the tags of a resource that has a record. */
export async function tagsOf(t: Context, resource: TagIdentity, options: TagsOptions = {}): Promise<TaggedResource> {
  const reply = await readTags(t, resource, options);
  return assertSuccess(reply, 200, `GET of ${JSON.stringify(resource).slice(0, 200)}`);
}

/** Sends a PUT of tags with further members or headers. */
export async function putTags(
  t: Context,
  resource: TagIdentity,
  tags: unknown,
  options: Omit<TagsOptions, 'body'> = {},
): Promise<RestReply> {
  return await t.tags('PUT', '/tags', { ...options, body: { ...resource, tags } });
}

/** Sends a DELETE of the tags of a resource. */
export async function deleteTags(
  t: Context,
  resource: TagIdentity,
  options: Omit<TagsOptions, 'body'> = {},
): Promise<RestReply> {
  return await t.tags('DELETE', '/tags', { ...options, body: resource });
}

/** Returns the JSON text of a set, with the tags in exactly this order, including repeated names. */
export function setText(resource: TagIdentity, tags: readonly (readonly [key: string, value: string])[]): string {
  const members = tags.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `${JSON.stringify(resource).slice(0, -1)},"tags":{${members.join(',')}}}`;
}
