/** The account that all processes serve. */
export const account = 'a1';
/** Opens it, for reading and writing. */
export const token = 'token-of-a1';

export type TagMap = Readonly<Record<string, string>>;

export interface Resource {
  readonly resource_type: string;
  readonly resource_id: string;
}

export interface Tagged {
  readonly id: string;
  readonly tags: TagMap;
  readonly etag: string;
  readonly tags_updated_at: string;
}

/** A reply of the tagging API, as far as these tests read it. */
export interface Reply<T> {
  readonly status: number;
  readonly result: T;
  /** Code of the first error, if any. */
  readonly code: number | undefined;
  readonly cursor: string | null;
}

/** Requests to the tagging API of one origin. All of them reject if the connection breaks. */
export interface TagClient {
  get(resource: Resource): Promise<Reply<Tagged>>;
  set(resource: Resource, tags: TagMap, ifMatch?: string): Promise<Reply<Tagged>>;
  remove(resource: Resource, ifMatch?: string): Promise<Reply<null>>;
  /** One page of a list: the path behind `/tags`, with its query. */
  list<T>(target: string): Promise<Reply<readonly T[]>>;
}

export function tagClient(origin: string): TagClient {
  const base = `${origin}/v4/accounts/${account}/tags`;
  const send = async <T>(target: string, method: string, body?: object, ifMatch?: string): Promise<Reply<T>> => {
    const response = await fetch(base + target, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const envelope = (text === '' ? {} : JSON.parse(text)) as Envelope<T>;
    return {
      status: response.status,
      result: envelope.result ?? (null as T),
      code: envelope.errors?.[0]?.code,
      cursor: envelope.result_info?.cursor ?? null,
    };
  };
  return {
    get: (resource) => send(`?${new URLSearchParams({ ...resource })}`, 'GET'),
    set: (resource, tags, ifMatch) => send('', 'PUT', { ...resource, tags }, ifMatch),
    remove: (resource, ifMatch) => send('', 'DELETE', resource, ifMatch),
    list: (target) => send(target, 'GET'),
  };
}

/** How many tags all resources of the account hold together. */
export async function tagsInAll(client: TagClient): Promise<number> {
  let total = 0;
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Reply<readonly Tagged[]> = await client.list(`/resources?cursor=${cursor}`);
    for (const { tags } of page.result) total += Object.keys(tags).length;
    cursor = page.cursor;
  }
  return total;
}

interface Envelope<T> {
  readonly result?: T;
  readonly errors?: readonly { readonly code: number }[];
  readonly result_info?: { readonly cursor: string | null };
}
