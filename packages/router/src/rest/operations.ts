import type { Hosting, RawFields } from '@packhouse/hosting';
import type { z } from '@hono/zod-openapi';
import type { Bytes } from './byte-response.ts';
import { contentOperations } from './content-operations.ts';
import type { Success } from './envelope.ts';
import * as schemas from './schemas.ts';

/** A request that passed everything up to its fields. */
export interface Call {
  readonly account: string;
  /** A parameter of the path, decoded. */
  readonly path: (name: string) => string;
  /** The segments of the path from a parameter on, as they were sent. */
  readonly encodedFrom: (name: string) => readonly string[];
  /** The first value of each parameter. */
  readonly query: RawFields;
  /** Empty for an operation without a body. */
  readonly body: RawFields;
}

/** One row of the table of routes (REPO-070 to REPO-088). */
export type Operation = JsonOperation | ByteOperation;

interface OperationRow {
  readonly id: string;
  readonly summary: string;
  readonly method: 'get' | 'post' | 'delete';
  /** Relative to the account base. */
  readonly path: string;
  readonly permission: 'read' | 'edit';
  readonly status: 200 | 201 | 202 | 204;
  readonly query?: schemas.RequestSchema;
  readonly body?: schemas.RequestSchema;
  /** The last parameter takes all that follows, slashes included. */
  readonly isOpenEnded?: boolean;
}

/** Answers in the envelope. */
interface JsonOperation extends OperationRow {
  readonly result?: z.ZodType;
  readonly info?: z.ZodType;
  readonly run: (hosting: Hosting, call: Call) => Promise<Omit<Success, 'status'>>;
  readonly bytes?: undefined;
}

/** Answers bytes as they are. */
interface ByteOperation extends OperationRow {
  /** Media types of the reply. */
  readonly bytes: readonly string[];
  readonly read: (hosting: Hosting, call: Call) => Promise<Bytes>;
}

const anyInfo = schemas.offsetInfoSchema.or(schemas.cursorInfoSchema);

export const operations: readonly Operation[] = [
  {
    id: 'createNamespace',
    summary: 'Create a namespace',
    method: 'post',
    path: '/namespaces',
    permission: 'edit',
    status: 201,
    body: 'createNamespace',
    result: schemas.namespaceSchema,
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
    result: schemas.namespaceSchema.array(),
    info: anyInfo,
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
    result: schemas.namespaceSchema,
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
    result: schemas.createRepoResultSchema,
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
    status: 201,
    body: 'importRepo',
    result: schemas.createRepoResultSchema,
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
    status: 201,
    body: 'forkRepo',
    result: schemas.forkRepoResultSchema,
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
    result: schemas.repoListItemSchema.array(),
    info: anyInfo,
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
    result: schemas.repoInfoSchema,
    run: async ({ repos }, { account, path }) => ({
      result: await repos.get(account, path('namespace'), path('repo_name')),
    }),
  },
  {
    id: 'deleteRepo',
    summary: 'Delete a repository with its tokens and objects',
    method: 'delete',
    path: '/namespaces/{namespace}/repos/{repo_name}',
    permission: 'edit',
    status: 202,
    result: schemas.idSchema,
    run: async ({ repos }, { account, path }) => ({
      result: { id: (await repos.delete(account, path('namespace'), path('repo_name'))).id },
    }),
  },
  ...contentOperations,
  {
    id: 'listTokens',
    summary: 'List the tokens of a repository, newest first',
    method: 'get',
    path: '/namespaces/{namespace}/repos/{repo_name}/tokens',
    permission: 'read',
    status: 200,
    query: 'listTokens',
    result: schemas.tokenInfoSchema.array(),
    info: schemas.offsetInfoSchema,
    run: async ({ tokens }, { account, path, query }) => {
      const { rows, info } = await tokens.list(account, path('namespace'), path('repo_name'), query);
      return { result: rows, info };
    },
  },
  {
    id: 'createToken',
    summary: 'Mint a token for a repository; its plaintext is shown only here',
    method: 'post',
    path: '/namespaces/{namespace}/tokens',
    permission: 'edit',
    status: 201,
    body: 'createToken',
    result: schemas.createTokenResultSchema,
    run: async ({ tokens }, { account, path, body }) => ({
      result: await tokens.create(account, path('namespace'), body),
      secret: true,
    }),
  },
  {
    id: 'revokeToken',
    summary: 'Revoke a token',
    method: 'delete',
    path: '/namespaces/{namespace}/tokens/{token_id}',
    permission: 'edit',
    status: 200,
    result: schemas.idSchema,
    run: async ({ tokens }, { account, path }) => ({
      result: { id: await tokens.revoke(account, path('namespace'), path('token_id')) },
    }),
  },
];

/** Methods of a path, for `Allow` (REPO-039). */
export function allowedMethods(path: string): string {
  const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase());
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
