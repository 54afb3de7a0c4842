import type { RequestWork } from '@packhouse/git';
import type { Hosting, JsonBody, UploadBody } from '@packhouse/hosting';
import type { RawFields } from '@packhouse/base';
import type { Bytes } from './byte-response.ts';
import { contentOperations } from './content-operations.ts';
import { commitOperations } from './commit-operations.ts';
import { mergeOperations } from './merge-operations.ts';
import { refOperations } from './ref-operations.ts';
import { searchOperations } from './search-operations.ts';
import { webhookOperations } from './webhook-operations.ts';
import type { Success } from './envelope.ts';

/** A request that has passed all checks except those of its fields. */
export interface Call {
  /** Counts the work of this request. */
  readonly work: RequestWork;
  readonly account: string;
  /** The API token. */
  readonly token: string;
  /** Ids of the only repos that the token reaches. Undefined: all that the path names. */
  readonly within: readonly string[] | undefined;
  /** Returns a parameter of the path, decoded. */
  readonly path: (name: string) => string;
  /** Returns the segments of the path from a parameter to the end, still percent-encoded. */
  readonly encodedFrom: (name: string) => readonly string[];
  /** True for HEAD, whose reply has no body. */
  readonly isHead: boolean;
  /** The first value of each query parameter. */
  readonly query: RawFields;
  /** Empty for an operation without a body of JSON, or with a streamed one. */
  readonly body: RawFields;
  /** Returns a streamed body, of at most so many bytes. */
  readonly stream: (max: number) => JsonBody;
  /** Returns the body of an operation that takes bytes. The operation must read or cancel it. */
  readonly upload: () => UploadBody;
  /** Returns a header of the request. */
  readonly header: (name: string) => string | null;
}

/** The name of a body or a query; `openapi/schemas.ts` has its schema. */
export type RequestShape =
  | 'createNamespace'
  | 'listNamespaces'
  | 'createRepo'
  | 'updateRepo'
  | 'forkRepo'
  | 'importRepo'
  | 'listRepos'
  | 'listCommits'
  | 'listRefs'
  | 'setRef'
  | 'deleteRef'
  | 'updateRefs'
  | 'listTree'
  | 'readFiles'
  | 'createCommit'
  | 'merge'
  | 'cherryPick'
  | 'revert'
  | 'getCommit'
  | 'getFile'
  | 'getArchive'
  | 'compareCommits'
  | 'searchFiles'
  | 'createToken'
  | 'createApiToken'
  | 'listTokens'
  | 'createWebhook'
  | 'updateWebhook';

/** The name of a result; `openapi/schemas.ts` has its schema. */
export type ResultShape =
  | 'comparison'
  | 'namespace'
  | 'repoDetails'
  | 'repoListItem'
  | 'createRepoResult'
  | 'forkRepoResult'
  | 'tokenInfo'
  | 'createTokenResult'
  | 'apiTokenInfo'
  | 'createApiTokenResult'
  | 'id'
  | 'commit'
  | 'commitDetails'
  | 'treeEntry'
  | 'listedEntry'
  | 'filesRead'
  | 'ref'
  | 'refChange'
  | 'newCommit'
  | 'merged'
  | 'newBlob'
  | 'searchResult'
  | 'webhook'
  | 'createWebhookResult'
  | 'webhookDelivery';

/**
 * The form of `result_info`. The request chooses: with `any` between page numbers and a cursor, with `optional cursor`
 * between a cursor and no `result_info`.
 */
export type InfoShape = 'any' | 'offset' | 'cursor' | 'optional cursor';

/** One row of the table of routes (REPO-070 to REPO-088, REPO-360, REPO-373, REPO-374, REPO-230, REPO-231, REPO-236, REPO-241 to REPO-243, REPO-250, REPO-256, REPO-270, REPO-277 to REPO-279, REPO-287, REPO-375). */
export type Operation = JsonOperation | ByteOperation;

interface OperationRow {
  readonly id: string;
  readonly summary: string;
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Relative to the account base. */
  readonly path: string;
  readonly permission: 'read' | 'edit';
  /** Part of the account that the token must reach, if it is not the one that the path names (REPO-365). */
  readonly reach?: 'namespace' | 'judged';
  readonly status: 200 | 201 | 202 | 204;
  /** The status of a success that changed nothing. Default: the same. */
  readonly idleStatus?: 200;
  readonly query?: RequestShape;
  readonly body?: RequestShape;
  /** True if the body is bytes, of type `application/octet-stream`. */
  readonly isUpload?: boolean;
  /** Header that a request may have, with a description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the operation reads its body of JSON itself, while it arrives. */
  readonly isStreamed?: boolean;
  /** True if the last parameter matches the rest of the path, including slashes. */
  readonly isOpenEnded?: boolean;
}

/** An operation that replies with JSON in the envelope. */
interface JsonOperation extends OperationRow {
  /** The result, or in brackets the items of a list. */
  readonly result?: ResultShape | readonly [ResultShape];
  readonly info?: InfoShape;
  readonly run: (hosting: Hosting, call: Call) => Promise<Omit<Success, 'status'>>;
  readonly bytes?: undefined;
  /** Another form of the reply, for requests whose `Accept` names its media type. */
  readonly alternative?: Alternative;
}

/** A reply with bytes of one media type in the place of JSON. */
export interface Alternative {
  readonly type: string;
  readonly read: ByteOperation['read'];
}

/** An operation that replies with bytes. */
interface ByteOperation extends OperationRow {
  /** Media types of the reply. */
  readonly bytes: readonly string[];
  readonly read: (hosting: Hosting, call: Call) => Promise<Bytes>;
}

export const operations: readonly Operation[] = [
  {
    id: 'createNamespace',
    summary: 'Create a namespace',
    method: 'post',
    path: '/namespaces',
    permission: 'edit',
    status: 201,
    body: 'createNamespace',
    result: 'namespace',
    run: async ({ namespaces }, { account, body }) => ({ result: await namespaces.create(account, body) }),
  },
  {
    id: 'listNamespaces',
    summary: 'List the namespaces, newest first',
    method: 'get',
    path: '/namespaces',
    permission: 'read',
    status: 200,
    query: 'listNamespaces',
    result: ['namespace'],
    info: 'any',
    run: async ({ namespaces }, { account, query }) => {
      const { rows, info } = await namespaces.list(account, query);
      return { result: rows, info };
    },
  },
  {
    id: 'getNamespace',
    summary: 'Get a namespace',
    method: 'get',
    path: '/namespaces/{namespace}',
    permission: 'read',
    status: 200,
    result: 'namespace',
    run: async ({ namespaces }, { account, path }) => ({ result: await namespaces.get(account, path('namespace')) }),
  },
  {
    id: 'deleteNamespace',
    summary: 'Delete an empty namespace',
    method: 'delete',
    path: '/namespaces/{namespace}',
    permission: 'edit',
    status: 204,
    run: async ({ namespaces }, { account, path }) => {
      await namespaces.delete(account, path('namespace'));
      return {};
    },
  },
  {
    id: 'createRepo',
    summary: 'Create an empty repository, its namespace if need be, and its first token',
    method: 'post',
    path: '/namespaces/{namespace}/repos',
    permission: 'edit',
    status: 201,
    body: 'createRepo',
    result: 'createRepoResult',
    run: async ({ repos }, { account, path, body }) => ({
      result: await repos.create(account, path('namespace'), body),
      secret: true,
    }),
  },
  {
    id: 'importRepo',
    summary: 'Import a repository from a public Git remote, with its first token',
    method: 'post',
    path: '/namespaces/{namespace}/repos/{repo_name}/import',
    permission: 'edit',
    reach: 'namespace',
    status: 201,
    body: 'importRepo',
    result: 'createRepoResult',
    run: async ({ repos }, { account, path, body }) => ({
      result: await repos.import(account, path('namespace'), path('repo_name'), body),
      secret: true,
    }),
  },
  {
    id: 'forkRepo',
    summary: 'Fork a repository within its namespace, with a first token; no history is copied',
    method: 'post',
    path: '/namespaces/{namespace}/repos/{repo_name}/fork',
    permission: 'edit',
    reach: 'namespace',
    status: 201,
    body: 'forkRepo',
    result: 'forkRepoResult',
    run: async ({ repos }, { account, path, body }) => ({
      result: await repos.fork(account, path('namespace'), path('repo_name'), body),
      secret: true,
    }),
  },
  {
    id: 'listRepos',
    summary: 'List or search the repositories of a namespace',
    method: 'get',
    path: '/namespaces/{namespace}/repos',
    permission: 'read',
    status: 200,
    query: 'listRepos',
    result: ['repoListItem'],
    info: 'any',
    run: async ({ repos }, { account, path, query }) => {
      const { rows, info } = await repos.list(account, path('namespace'), query);
      return { result: rows, info };
    },
  },
  {
    id: 'getRepo',
    summary: 'Get a repository',
    method: 'get',
    path: '/namespaces/{namespace}/repos/{repo_name}',
    permission: 'read',
    status: 200,
    result: 'repoDetails',
    run: async ({ repos }, { account, path, within }) => ({
      result: await repos.get(account, path('namespace'), path('repo_name'), within),
    }),
  },
  {
    id: 'updateRepo',
    summary: 'Change the name, description, default branch or read-only flag of a repository',
    method: 'patch',
    path: '/namespaces/{namespace}/repos/{repo_name}',
    permission: 'edit',
    status: 200,
    body: 'updateRepo',
    result: 'repoDetails',
    run: async ({ repos }, { account, path, body, within }) => ({
      result: await repos.update(account, path('namespace'), path('repo_name'), body, within),
    }),
  },
  {
    id: 'deleteRepo',
    summary: 'Delete a repository with its tokens and objects',
    method: 'delete',
    path: '/namespaces/{namespace}/repos/{repo_name}',
    permission: 'edit',
    status: 202,
    result: 'id',
    run: async ({ repos }, { account, path, within }) => ({
      result: { id: (await repos.delete(account, path('namespace'), path('repo_name'), within)).id },
    }),
  },
  ...contentOperations,
  ...refOperations,
  ...commitOperations,
  ...mergeOperations,
  ...searchOperations,
  {
    id: 'listTokens',
    summary: 'List the tokens of a repository, newest first',
    method: 'get',
    path: '/namespaces/{namespace}/repos/{repo_name}/tokens',
    permission: 'read',
    status: 200,
    query: 'listTokens',
    result: ['tokenInfo'],
    info: 'offset',
    run: async ({ tokens }, { account, path, query, within }) => {
      const { rows, info } = await tokens.list(account, path('namespace'), path('repo_name'), query, within);
      return { result: rows, info };
    },
  },
  {
    id: 'createToken',
    summary: 'Mint a token for a repository; its plaintext is shown only here',
    method: 'post',
    path: '/namespaces/{namespace}/tokens',
    permission: 'edit',
    reach: 'judged',
    status: 201,
    body: 'createToken',
    result: 'createTokenResult',
    run: async ({ tokens }, { account, path, body, within }) => ({
      result: await tokens.create(account, path('namespace'), body, within),
      secret: true,
    }),
  },
  {
    id: 'revokeToken',
    summary: 'Revoke a token',
    method: 'delete',
    path: '/namespaces/{namespace}/tokens/{token_id}',
    permission: 'edit',
    reach: 'judged',
    status: 200,
    result: 'id',
    run: async ({ tokens }, { account, path, within }) => ({
      result: { id: await tokens.revoke(account, path('namespace'), path('token_id'), within) },
    }),
  },
  {
    id: 'createApiToken',
    summary: 'Create an API token for the account, a namespace or a repository; its plaintext is shown only here',
    method: 'post',
    path: '/api-tokens',
    permission: 'edit',
    reach: 'judged',
    status: 201,
    body: 'createApiToken',
    result: 'createApiTokenResult',
    run: async ({ apiTokens }, call) => ({ result: await apiTokens.create(call, call.body), secret: true }),
  },
  {
    id: 'listApiTokens',
    summary: 'List the API tokens that the token of the request reaches, newest first',
    method: 'get',
    path: '/api-tokens',
    permission: 'read',
    reach: 'judged',
    status: 200,
    query: 'listTokens',
    result: ['apiTokenInfo'],
    info: 'offset',
    run: async ({ apiTokens }, call) => {
      const { rows, info } = await apiTokens.list(call, call.query);
      return { result: rows, info };
    },
  },
  {
    id: 'revokeApiToken',
    summary: 'Revoke an API token, and those that it created',
    method: 'delete',
    path: '/api-tokens/{token_id}',
    permission: 'edit',
    reach: 'judged',
    status: 200,
    result: 'id',
    run: async ({ apiTokens }, call) => ({ result: { id: await apiTokens.revoke(call, call.path('token_id')) } }),
  },
  ...webhookOperations,
];

/** Returns the methods of a path for the header `Allow` (REPO-039). */
export function allowedMethods(path: string): string {
  const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase());
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
