import { createQuerySerializer } from 'openapi-fetch';
import { byCursor, done, optionsOf, resultOf } from './calls.ts';
import { writeFilter } from './filter.ts';
import type { Rest } from './rest.ts';
import type { BodyOf, CallOptions, ItemOf, ListQueryOf, QueryOf, ResultOf } from './types.ts';

/** The known values, and any other text: a deployment may add resource types. */
type Open<Known> = Known | (string & {});

/** A resource. With some types a further member names its parent, such as `worker_id` with `worker_version`. */
export interface Resource {
  readonly resource_type: Open<QueryOf<'getAccountTags'>['resource_type']>;
  readonly resource_id: string;
  readonly [parent: string]: string;
}

/** Options of a change of tags. */
export interface TagChangeOptions extends CallOptions {
  /** Changes only tags that still have this etag, in the form of `If-Match`: `"v1:..."`. */
  readonly ifMatch?: string | undefined;
}

type TaggedResource = ResultOf<'getAccountTags'>;

/** The tags of single resources. */
export interface ResourceTags {
  get(resource: Resource, call?: CallOptions): Promise<TaggedResource>;
  /** Replaces all tags of a resource. */
  set(resource: Resource, tags: Readonly<Record<string, string>>, call?: TagChangeOptions): Promise<TaggedResource>;
  delete(resource: Resource, call?: TagChangeOptions): Promise<void>;
}

/** The tags of the account's resources. */
export interface Tags extends ResourceTags {
  /**
   * Lists the resources that match, such as with `{ tag: ['env=prod,staging', '!archived'] }`.
   *
   * @param query In `tag`, `\\,` is a comma inside a value, and `\\\\` a backslash.
   */
  resources(
    query?: Omit<ListQueryOf<'listTaggedResources'>, 'type'> & { readonly type?: readonly string[] },
    call?: CallOptions,
  ): AsyncGenerator<ItemOf<'listTaggedResources'>, void>;
  keys(query?: ListQueryOf<'listTagKeys'>, call?: CallOptions): AsyncGenerator<string, void>;
  values(key: string, query?: { readonly type?: string }, call?: CallOptions): AsyncGenerator<string, void>;
}

/** @param address The base URL of a zone, if it is not that of the account. */
export function createResourceTags(rest: Rest, address: { readonly baseUrl?: string } = {}): ResourceTags {
  const change = ({ ifMatch, ...call }: TagChangeOptions) => ({
    ...address,
    ...(ifMatch !== undefined && { params: { header: { 'If-Match': ifMatch } } }),
    ...optionsOf(call),
  });
  return {
    get: (resource, call = {}) =>
      resultOf(
        rest.GET('/tags', {
          ...address,
          params: { query: resource as QueryOf<'getAccountTags'> },
          ...optionsOf(call),
        }),
      ),
    set: (resource, tags, call = {}) =>
      resultOf(rest.PUT('/tags', { body: { ...resource, tags } as BodyOf<'setAccountTags'>, ...change(call) })),
    delete: (resource, call = {}) =>
      done(rest.DELETE('/tags', { body: resource as BodyOf<'deleteAccountTags'>, ...change(call) })),
  };
}

const writeQuery = createQuerySerializer<ListQueryOf<'listTaggedResources'>>();

export function createTags(rest: Rest): Tags {
  return {
    ...createResourceTags(rest),
    resources: ({ tag = [], ...query } = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/resources', {
          params: { query: { ...(query as ListQueryOf<'listTaggedResources'>), ...next(cursor) } },
          // By default commas would be encoded, which part the values of a filter.
          querySerializer: (others) =>
            [...tag.map((filter) => `tag=${writeFilter(filter)}`), writeQuery(others)].filter(Boolean).join('&'),
          ...optionsOf(call),
        }),
      ),
    keys: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/keys', { params: { query: { ...query, ...next(cursor) } }, ...optionsOf(call) }),
      ),
    values: (key, query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/values/{tag_key}', {
          params: {
            path: { tag_key: key },
            query: { ...(query as ListQueryOf<'listTagValues'>), ...next(cursor) },
          },
          ...optionsOf(call),
        }),
      ),
  };
}

/** Returns the parameter of a further page. */
function next(cursor: string): { readonly cursor?: string } {
  return cursor === '' ? {} : { cursor };
}
