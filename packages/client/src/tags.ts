import { byCursor, optionsOf, resultOf } from './calls.ts';
import type { Rest } from './rest.ts';
import type { BodyOf, CallOptions, ItemOf, ListQueryOf, QueryOf, ResultOf } from './types.ts';

/** The tags of the account's resources. */
export interface Tags {
  get(resource: QueryOf<'getAccountTags'>, call?: CallOptions): Promise<ResultOf<'getAccountTags'>>;
  /** Replaces all tags of a resource. */
  set(tagged: BodyOf<'setAccountTags'>, call?: CallOptions): Promise<ResultOf<'setAccountTags'>>;
  delete(resource: BodyOf<'deleteAccountTags'>, call?: CallOptions): Promise<void>;
  /** Lists the resources that match, such as with `{ tag: ['env=prod', '!archived'] }`. */
  resources(
    query?: ListQueryOf<'listTaggedResources'>,
    call?: CallOptions,
  ): AsyncGenerator<ItemOf<'listTaggedResources'>, void>;
  keys(query?: ListQueryOf<'listTagKeys'>, call?: CallOptions): AsyncGenerator<string, void>;
  values(key: string, query?: ListQueryOf<'listTagValues'>, call?: CallOptions): AsyncGenerator<string, void>;
}

/** @param rest The calls below the account. */
export function createTags(rest: Rest): Tags {
  return {
    get: (query, call = {}) => resultOf(rest.GET('/tags', { params: { query }, ...optionsOf(call) })),
    set: (body, call = {}) => resultOf(rest.PUT('/tags', { body, ...optionsOf(call) })),
    delete: async (body, call = {}) => {
      await rest.DELETE('/tags', { body, ...optionsOf(call) });
    },
    resources: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/resources', { params: { query: { ...query, ...next(cursor) } }, ...optionsOf(call) }),
      ),
    keys: (query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/keys', { params: { query: { ...query, ...next(cursor) } }, ...optionsOf(call) }),
      ),
    values: (key, query = {}, call = {}) =>
      byCursor((cursor) =>
        rest.GET('/tags/values/{tag_key}', {
          params: { path: { tag_key: key }, query: { ...query, ...next(cursor) } },
          ...optionsOf(call),
        }),
      ),
  };
}

/** Returns the parameter of a further page. */
function next(cursor: string): { readonly cursor?: string } {
  return cursor === '' ? {} : { cursor };
}
