import { byCursor, byPage, done, optionsOf, resultOf } from './calls.ts';
import { openRepo, type Repo } from './repo.ts';
import { createRest, type Rest } from './rest.ts';
import { createResourceTags, createTags, type ResourceTags, type Tags } from './tags.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';
import type { BodyOf, CallOptions, ItemOf, ListQueryOf, ResultOf } from './types.ts';

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The base URL of the service, such as `https://git.example.com`. */
  readonly url: string;
  /** The API token, or a function that returns it for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** The id of the account. */
  readonly account: string;
  /** Default: that of the runtime. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Most attempts for one request, at least 1. Default 4. */
  readonly attempts?: number;
  /**
   * Called before a request is sent again, with the reason and the pause in milliseconds. If it throws, the call rejects
   * with that error instead.
   */
  readonly onRetry?: (reason: unknown, pause: number) => void;
  /** The path before `/accounts`. Default `/v4`. */
  readonly basePath?: string;
  /** The path segment after the account. Default `repos`. */
  readonly service?: string;
}

/** The namespaces of the account. */
export interface Namespaces {
  list(query?: ListQueryOf<'listNamespaces'>, call?: CallOptions): AsyncGenerator<ItemOf<'listNamespaces'>, void>;
  create(namespace: BodyOf<'createNamespace'>, call?: CallOptions): Promise<ResultOf<'createNamespace'>>;
  get(name: string, call?: CallOptions): Promise<ResultOf<'getNamespace'>>;
  delete(name: string, call?: CallOptions): Promise<void>;
}

/** The repositories of one namespace. */
export interface Repos {
  list(query?: ListQueryOf<'listRepos'>, call?: CallOptions): AsyncGenerator<ItemOf<'listRepos'>, void>;
  create(repo: BodyOf<'createRepo'>, call?: CallOptions): Promise<ResultOf<'createRepo'>>;
}

/** The API tokens that the service stores, as far as the token of the client reaches. */
export interface ApiTokens {
  /** The result has the secret, which no later call returns. */
  create(token: BodyOf<'createApiToken'>, call?: CallOptions): Promise<ResultOf<'createApiToken'>>;
  list(query?: ListQueryOf<'listApiTokens'>, call?: CallOptions): AsyncGenerator<ItemOf<'listApiTokens'>, void>;
  /** Revokes the tokens that it created, too. */
  revoke(id: string, call?: CallOptions): Promise<ResultOf<'revokeApiToken'>>;
}

/** A client of one account. Its methods reject with {@link PackhouseError} if the service refuses a request. */
export interface Client {
  readonly namespaces: Namespaces;
  repos(namespace: string): Repos;
  /** Sends nothing yet. */
  repo(namespace: string, name: string): Repo;
  /** The webhooks of a namespace, or of one repository in it. */
  webhooks(namespace: string, repo?: string): Webhooks;
  readonly apiTokens: ApiTokens;
  readonly tags: Tags;
  /** The tags of resources of a zone. The lists of `tags` have those, too. */
  zoneTags(zone: string): ResourceTags;
  /** Every operation of the service by method and path, below the account and `repos`. */
  readonly rest: Rest;
}

/** Creates a client. It holds no connection, and needs no closing. */
export function createClient({
  url,
  token,
  account,
  fetch = (request) => globalThis.fetch(request),
  attempts = 4,
  onRetry,
  basePath = '/v4',
  service = 'repos',
}: ClientOptions): Client {
  const base = `${url.replace(/\/+$/, '')}${basePath}`;
  const options = { fetch, token, attempts, onRetry };
  const rest = createRest(`${base}/accounts/${encodeURIComponent(account)}`, service, options);
  return {
    rest,
    namespaces: {
      list: (query = {}, call = {}) =>
        byCursor((cursor) => rest.GET('/namespaces', { params: { query: { ...query, cursor } }, ...optionsOf(call) })),
      create: (body, call = {}) => resultOf(rest.POST('/namespaces', { body, ...optionsOf(call) })),
      get: (namespace, call = {}) =>
        resultOf(rest.GET('/namespaces/{namespace}', { params: { path: { namespace } }, ...optionsOf(call) })),
      delete: (namespace, call = {}) =>
        done(rest.DELETE('/namespaces/{namespace}', { params: { path: { namespace } }, ...optionsOf(call) })),
    },
    repos: (namespace) => ({
      list: (query = {}, call = {}) =>
        byCursor((cursor) =>
          rest.GET('/namespaces/{namespace}/repos', {
            params: { path: { namespace }, query: { ...query, cursor } },
            ...optionsOf(call),
          }),
        ),
      create: (body, call = {}) =>
        resultOf(
          rest.POST('/namespaces/{namespace}/repos', { params: { path: { namespace } }, body, ...optionsOf(call) }),
        ),
    }),
    apiTokens: {
      create: (body, call = {}) => resultOf(rest.POST('/api-tokens', { body, ...optionsOf(call) })),
      list: (query = {}, call = {}) =>
        byPage((page) => rest.GET('/api-tokens', { params: { query: { ...query, page } }, ...optionsOf(call) })),
      revoke: (id, call = {}) =>
        resultOf(rest.DELETE('/api-tokens/{token_id}', { params: { path: { token_id: id } }, ...optionsOf(call) })),
    },
    repo: (namespace, name) => openRepo(rest, namespace, name),
    webhooks: (namespace, repo) => createWebhooks(rest, namespace, repo),
    tags: createTags(rest),
    zoneTags: (zone) => createResourceTags(rest, { baseUrl: `${base}/zones/${encodeURIComponent(zone)}` }),
  };
}
