import { z } from '@hono/zod-openapi';
import type { Settings } from '@packhouse/hosting';
import type { InfoShape, RequestShape, ResultShape } from '../operations.ts';

/**
 * The shapes of the REST API for its OpenAPI document. They describe and do not check: `@packhouse/hosting` checks, in
 * the order and with the texts of the specification.
 */
const time = z.string().openapi({ format: 'date-time', example: '2026-11-20T09:15:02.114Z' });
const id = z.string().openapi({ pattern: '^[0-9a-z]{16}$', example: 'k3v9p0x2m7q4w8zt' });
const scope = z.enum(['read', 'write']);
/** Of the new repo in examples, which has another name than its parent. */
const forkName = 'notes-try';

const namespaceSchema = z
  .object({
    namespace: z.string(),
    jurisdiction: z.string(),
    repo_count: z.int(),
    created_at: time,
    updated_at: time,
  })
  .openapi('Namespace');

const repoInfoShape = {
  id,
  name: z.string(),
  description: z.string().nullable(),
  default_branch: z.string(),
  created_at: time,
  updated_at: time,
  last_push_at: time.nullable(),
  source: z.string().nullable(),
  read_only: z.boolean(),
  remote: z.string(),
};

const repoInfoSchema = z.object(repoInfoShape).openapi('RepoInfo');

const repoListItemSchema = z
  .object({ ...repoInfoShape, status: z.enum(['ready', 'creating', 'importing', 'forking']) })
  .openapi('RepoListItem');

const createRepoShape = {
  id,
  name: z.string(),
  description: z.string().nullable(),
  default_branch: z.string(),
  remote: z.string(),
  token: z.string(),
};

const createRepoResultSchema = z.object(createRepoShape).openapi('CreateRepoResult');

const forkRepoResultSchema = z
  .object({
    ...createRepoShape,
    name: z.string().openapi({ example: forkName }),
    remote: z.string().openapi({ example: `https://git.example/git/local/default/${forkName}.git` }),
    objects: z.int(),
  })
  .openapi('ForkRepoResult');

const tokenInfoSchema = z
  .object({ id, scope, state: z.enum(['active', 'expired', 'revoked']), created_at: time, expires_at: time })
  .openapi('TokenInfo');

const createTokenResultSchema = z
  .object({ id, plaintext: z.string(), scope, expires_at: time })
  .openapi('CreateTokenResult');

const idSchema = z.object({ id });

const hash = z.string().openapi({ pattern: '^[0-9a-f]{40}$', example: '8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc' });
const person = z.object({
  name: z.string().openapi({ example: 'Ada' }),
  email: z.string().openapi({ example: 'ada@example.test' }),
});
const unixSeconds = z.int().openapi({ example: 1795165100 });

const commitSchema = z
  .object({
    hash,
    treeHash: hash,
    message: z.string().openapi({ example: 'Add plan' }),
    author: person,
    committer: person,
    parents: hash.array(),
    authoredAt: unixSeconds,
    committedAt: unixSeconds,
  })
  .openapi('Commit');

const treeEntrySchema = z
  .object({
    name: z.string().openapi({ example: 'docs' }),
    mode: z.enum(['40000', '100644', '100755', '120000', '160000']),
    hash,
    type: z.enum(['tree', 'blob', 'exec', 'symlink', 'gitlink']),
  })
  .openapi('TreeEntry');

const offsetInfoSchema = z
  .object({ page: z.int(), per_page: z.int(), total_pages: z.int(), count: z.int(), total_count: z.int() })
  .openapi('OffsetInfo');

const cursorInfoSchema = z.object({ cursor: z.string(), per_page: z.int(), count: z.int() }).openapi('CursorInfo');

/** What operations bring. */
const resultSchemas: Record<ResultShape, z.ZodType> = {
  namespace: namespaceSchema,
  repoInfo: repoInfoSchema,
  repoListItem: repoListItemSchema,
  createRepoResult: createRepoResultSchema,
  forkRepoResult: forkRepoResultSchema,
  tokenInfo: tokenInfoSchema,
  createTokenResult: createTokenResultSchema,
  id: idSchema,
  commit: commitSchema,
  treeEntry: treeEntrySchema,
};

/** What lists say of their pages. */
const infoSchemas: Record<InfoShape, z.ZodType> = {
  any: offsetInfoSchema.or(cursorInfoSchema),
  offset: offsetInfoSchema,
};

export const failureSchema = z
  .object({
    result: z.null(),
    success: z.literal(false),
    errors: z
      .array(
        z.object({
          code: z.int(),
          message: z.string(),
          documentation_url: z.string(),
          source: z.object({ pointer: z.string() }).optional(),
        }),
      )
      .min(1),
    messages: z.array(z.string()).max(0),
  })
  .openapi('Failure');

/** The envelope of a success (REPO-033): with one result, or a list of such. */
export function successSchema(result: ResultShape | readonly [ResultShape], info?: InfoShape): z.ZodType {
  const members = {
    result: typeof result === 'string' ? resultSchemas[result] : resultSchemas[result[0]].array(),
    success: z.literal(true),
    errors: z.array(z.unknown()).max(0),
    messages: z.array(z.unknown()).max(0),
  };
  return z.object({ ...members, ...(info && { result_info: infoSchemas[info] }) });
}

/** Bodies and queries, whose limits are settings. */
export function requestSchemas(settings: Settings): Record<RequestShape, z.ZodObject> {
  const page = { cursor: z.string().optional(), page: z.int().min(1).optional() };
  const repoName = z
    .string()
    .max(settings.repo_name_max)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/);
  const limit = (max: number, absent: number) => z.int().min(1).max(max).default(absent);
  return {
    createNamespace: z.object({
      namespace: z.string().min(settings.namespace_name_min).max(settings.namespace_name_max),
      jurisdiction: z.enum(settings.jurisdictions as [string, ...string[]]).default('unrestricted'),
    }),
    listNamespaces: z.object({ limit: limit(settings.namespaces_page_max, settings.namespaces_page_default), ...page }),
    createRepo: z.object({
      name: repoName,
      description: z.string().max(settings.description_max).nullish(),
      default_branch: z.string().default('main'),
      read_only: z.boolean().default(false),
    }),
    forkRepo: z.object({
      name: repoName.openapi({ description: 'Of the new repository', example: forkName }),
      description: z.string().max(settings.description_max).nullish(),
      read_only: z.boolean().default(false),
      default_branch_only: z.boolean().default(true).openapi({ description: 'False takes every branch and tag' }),
    }),
    importRepo: z.object({
      url: z.url({ protocol: /^https$/ }).openapi({
        description: 'HTTPS, without a user name or password',
        example: 'https://github.com/owner/repo',
      }),
      branch: z.string().nullish().openapi({ description: 'Only this one, and tags that point into it' }),
      depth: z.int().min(1).nullish().openapi({ description: 'Only so many commits of history' }),
      read_only: z.boolean().default(false),
      description: z.string().max(settings.description_max).nullish(),
    }),
    listRepos: z.object({
      limit: limit(settings.repos_page_max, settings.repos_page_default),
      ...page,
      search: z.string().max(settings.search_max).optional(),
      sort: z.enum(['created_at', 'updated_at', 'last_push_at', 'name']).default('created_at'),
      direction: z.enum(['asc', 'desc']).default('desc'),
    }),
    listCommits: z.object({
      ref: z.string().default('HEAD'),
      limit: z.int().min(1).default(settings.log_page_default),
      offset: z.int().min(0).default(0),
    }),
    getFile: z.object({ ref: z.string().default('HEAD'), path: z.string() }),
    createToken: z.object({
      repo: z.string(),
      scope: scope.default('write'),
      ttl: z.int().min(settings.token_ttl_min).max(settings.token_ttl_max).default(settings.token_ttl_default),
    }),
    listTokens: z.object({
      page: z.int().min(1).default(1),
      per_page: limit(settings.tokens_page_max, settings.tokens_page_default),
      state: z.enum(['active', 'expired', 'revoked', 'all']).default('active'),
    }),
  };
}
