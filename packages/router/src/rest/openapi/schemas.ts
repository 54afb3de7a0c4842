import { openApi, repoErrors, type OpenApiPart } from '@packhouse/base';
import { changesMax, eventNames, refPageRows, updatesMax, type Settings } from '@packhouse/hosting';
import type { InfoShape, RequestShape, ResultShape } from '../operations.ts';

/**
 * Schemas of the REST API for its OpenAPI document. They only describe. `@packhouse/hosting` validates, in the order
 * and with the texts of the specification.
 */
const { integer, list, object, reference, text, time } = openApi;
const truth = (rest: OpenApiPart = {}): OpenApiPart => ({ type: 'boolean', ...rest });
/** Returns the schema with `null` as a further type. */
const nullable = (schema: OpenApiPart): OpenApiPart => ({ ...schema, type: [schema['type'], 'null'] });

const id = text({ pattern: '^[0-9a-z]{16}$', example: 'k3v9p0x2m7q4w8zt' });
const scope = text({ enum: ['read', 'write'] });
/** The name of the fork in examples, which differs from the name of its parent. */
const forkName = 'notes-try';
const hash = text({ pattern: '^[0-9a-f]{40}$', example: '8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc' });
const person = object({ name: text({ example: 'Ada' }), email: text({ example: 'ada@example.test' }) });
const fileMode = text({ example: '100644' });
const unixSeconds = integer({ example: 1795165100 });

const repoInfo = {
  id,
  name: text(),
  description: nullable(text()),
  default_branch: text(),
  created_at: time,
  updated_at: time,
  last_push_at: nullable(time),
  source: nullable(text()),
  read_only: truth(),
  remote: text(),
};

const createRepoResult = {
  id,
  name: text(),
  description: nullable(text()),
  default_branch: text(),
  remote: text(),
  token: text(),
};

const tokenPermission = text({ enum: ['read', 'edit', 'git.read', 'git.write', 'tag.read', 'tag.write'] });

const apiTokenInfo = {
  id,
  name: text({ example: 'CI of team' }),
  permissions: list(tokenPermission),
  scope: text({ enum: ['account', 'namespace', 'repository'] }),
  namespace: nullable(text()),
  repo: nullable(text()),
  state: text({ enum: ['active', 'expired', 'revoked'] }),
  created_by: nullable(text({ description: 'Id of the API token that created it' })),
  created_at: time,
  expires_at: time,
};

const treeEntry = {
  name: text({ example: 'docs' }),
  mode: text({ enum: ['40000', '100644', '100755', '120000', '160000'] }),
  hash,
  type: text({ enum: ['tree', 'blob', 'exec', 'symlink', 'gitlink'] }),
};

const commit = {
  hash,
  treeHash: hash,
  message: text({ example: 'Add plan' }),
  author: person,
  committer: person,
  parents: list(hash),
  authoredAt: unixSeconds,
  committedAt: unixSeconds,
};

const renamesLimited = truth({ description: 'True if edited renames may be shown as added and deleted files' });

const webhookFilters = {
  events: nullable(list(text({ enum: [...eventNames] }))),
  refs: nullable(list(text({ example: 'refs/heads/*' }))),
};

const webhookSecret = text({ pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$' });

/** Members that a client sets. */
const webhookMembers = {
  url: text({ format: 'uri', maxLength: 2_048 }),
  ...webhookFilters,
  active: truth({ default: true }),
  secret: webhookSecret,
};

const webhook = {
  id,
  url: text({ format: 'uri', example: 'https://hooks.example/packhouse' }),
  ...webhookFilters,
  active: truth(),
  stopped_reason: { ...nullable(text()), description: 'Why the service made the webhook inactive' },
  created_at: time,
  updated_at: time,
  last_delivery: { anyOf: [reference('WebhookDelivery'), { type: 'null' }] },
};

/** Schemas that `$ref` refers to. */
export const namedSchemas = {
  Namespace: object({
    namespace: text(),
    jurisdiction: text(),
    repo_count: integer(),
    created_at: time,
    updated_at: time,
  }),
  RepoDetails: object({ ...repoInfo, size: integer(), object_count: integer(), ref_count: integer() }),
  RepoListItem: object({ ...repoInfo, status: text({ enum: ['ready', 'creating', 'importing', 'forking'] }) }),
  CreateRepoResult: object(createRepoResult),
  ForkRepoResult: object({
    ...createRepoResult,
    name: text({ example: forkName }),
    remote: text({ example: `https://git.example/git/local/default/${forkName}.git` }),
    objects: integer(),
  }),
  TokenInfo: object({
    id,
    scope,
    state: text({ enum: ['active', 'expired', 'revoked'] }),
    created_at: time,
    expires_at: time,
  }),
  Webhook: object(webhook),
  CreateWebhookResult: object({ ...webhook, secret: webhookSecret }),
  WebhookDelivery: object({
    event_id: id,
    event_type: text({ example: 'repos.repo.pushed' }),
    at: time,
    status: nullable(integer({ example: 204 })),
    error: nullable(text()),
    attempts: integer(),
  }),
  CreateTokenResult: object({ id, plaintext: text(), scope, expires_at: time }),
  ApiTokenInfo: object(apiTokenInfo),
  CreateApiTokenResult: object({ ...apiTokenInfo, plaintext: text() }),
  Commit: object(commit),
  CommitDetails: object({ ...commit, changes: reference('ChangedFiles') }, Object.keys(commit)),
  TreeEntry: object(treeEntry),
  ListedEntry: object({
    ...treeEntry,
    path: text({ example: 'docs' }),
    size: nullable(integer({ minimum: 0 })),
  }),
  FilesRead: object({
    commit: hash,
    files: list(
      object({
        path: text({ example: 'plan.md' }),
        mode: nullable(text()),
        hash: nullable(hash),
        size: nullable(integer({ minimum: 0 })),
        encoding: nullable(text({ enum: ['utf-8', 'base64', null] })),
        content: nullable(text()),
        error: nullable(object({ code: integer(), message: text(), reason: text({ example: 'file_not_found' }) })),
      }),
    ),
  }),
  Ref: object({
    name: text({ example: 'refs/heads/main' }),
    hash,
    kind: text({ enum: ['commit', 'tree', 'blob', 'tag'] }),
    peeled: nullable(hash),
  }),
  RefChange: object({ name: text({ example: 'refs/heads/main' }), old: nullable(hash), new: nullable(hash) }),
  NewCommit: object({
    commit: hash,
    tree: hash,
    ref: object({ name: text({ example: 'refs/heads/main' }), old: nullable(hash), new: hash }),
    paths: list(text({ example: 'docs/plan.md' })),
    truncated: truth(),
  }),
  Merge: object({
    commit: nullable({ ...hash, description: 'The commit that was made' }),
    tree: hash,
    from: { ...hash, description: 'What from or commit resolved to' },
    ref: object({ name: text({ example: 'refs/heads/main' }), old: hash, new: hash }),
  }),
  NewBlob: object({ hash, size: integer() }),
  ChangedFiles: object({
    files: list(reference('ChangedFile')),
    truncated: truth({ description: 'True if files are left out' }),
    renames_limited: renamesLimited,
  }),
  ChangedFile: object({
    path: text({ example: 'docs/plan.md' }),
    previous_path: nullable(text()),
    status: text({ enum: ['added', 'deleted', 'modified', 'renamed', 'type_changed'] }),
    old_mode: nullable(fileMode),
    new_mode: nullable(fileMode),
    old_hash: nullable(hash),
    new_hash: nullable(hash),
    similarity: nullable(integer()),
    additions: integer(),
    deletions: integer(),
    binary: truth(),
  }),
  Comparison: object({
    merge_base: nullable(hash),
    ahead: integer(),
    behind: integer(),
    commits: list(reference('Commit')),
    files: list(reference('ChangedFile')),
    truncated: truth({ description: 'True if commits or files are left out' }),
    renames_limited: renamesLimited,
  }),
  SearchResult: object({
    commit: hash,
    matches: list(
      object({
        path: text({ example: 'docs/plan.md' }),
        line: integer({ minimum: 1, description: 'From 1' }),
        column: integer({ minimum: 1, description: 'Place of the first match in the line: in bytes, from 1' }),
        text: text({ description: 'The line, or a part of it around the match', example: '# The plan' }),
        start: integer({ minimum: 0, description: 'The first match in text, in UTF-16 units' }),
        end: integer({ minimum: 0, description: 'Exclusive' }),
        clipped: truth({ description: 'True if text is only a part of the line' }),
      }),
    ),
    skipped: integer({ minimum: 0, description: 'Files and folders that were left out as too large' }),
    truncated: truth({ description: 'True if something remains to be searched' }),
  }),
  OffsetInfo: object({
    page: integer(),
    per_page: integer(),
    total_pages: integer(),
    count: integer(),
    total_count: integer(),
  }),
  CursorInfo: object({ cursor: text(), per_page: integer(), count: integer() }),
  Failure: object({
    result: { type: 'null' },
    success: truth({ enum: [false] }),
    errors: list(
      object(
        {
          code: integer(),
          message: text(),
          documentation_url: text(),
          source: object({ pointer: text() }),
          reason: text({ enum: Object.values(repoErrors).map(({ reason }) => reason) }),
          retryable: truth(),
          hint: text(),
          details: { type: 'object' },
        },
        ['code', 'message', 'documentation_url', 'reason', 'retryable', 'hint'],
      ),
      { minItems: 1 },
    ),
    messages: list(text(), { maxItems: 0 }),
  }),
};

const named = (name: keyof typeof namedSchemas): OpenApiPart => reference(name);

/** Schemas of the results of operations. */
const resultSchemas: Readonly<Record<ResultShape, OpenApiPart>> = {
  namespace: named('Namespace'),
  repoDetails: named('RepoDetails'),
  repoListItem: named('RepoListItem'),
  createRepoResult: named('CreateRepoResult'),
  forkRepoResult: named('ForkRepoResult'),
  tokenInfo: named('TokenInfo'),
  createTokenResult: named('CreateTokenResult'),
  apiTokenInfo: named('ApiTokenInfo'),
  createApiTokenResult: named('CreateApiTokenResult'),
  webhook: named('Webhook'),
  createWebhookResult: named('CreateWebhookResult'),
  webhookDelivery: named('WebhookDelivery'),
  id: object({ id }),
  commit: named('Commit'),
  commitDetails: named('CommitDetails'),
  treeEntry: named('TreeEntry'),
  listedEntry: named('ListedEntry'),
  filesRead: named('FilesRead'),
  ref: named('Ref'),
  refChange: named('RefChange'),
  newCommit: named('NewCommit'),
  merged: named('Merge'),
  newBlob: named('NewBlob'),
  comparison: named('Comparison'),
  searchResult: named('SearchResult'),
};

/** Schemas of `result_info`. */
const infoSchemas: Readonly<Record<InfoShape, OpenApiPart>> = {
  any: { anyOf: [named('OffsetInfo'), named('CursorInfo')] },
  offset: named('OffsetInfo'),
  cursor: named('CursorInfo'),
  'optional cursor': named('CursorInfo'),
};

export const failureSchema: OpenApiPart = named('Failure');

/** Returns the schema of a success in the envelope (REPO-033), with one result or a list of results. */
export function successSchema(result: ResultShape | readonly [ResultShape], info?: InfoShape): OpenApiPart {
  const none = list({}, { maxItems: 0 });
  const members = {
    result: typeof result === 'string' ? resultSchemas[result] : list(resultSchemas[result[0]]),
    success: truth({ enum: [true] }),
    errors: none,
    messages: none,
  };
  const required = Object.keys(members);
  if (info === undefined) return object(members);
  return object(
    { ...members, result_info: infoSchemas[info] },
    info === 'optional cursor' ? required : [...required, 'result_info'],
  );
}

/** Returns the schemas of bodies and queries, with the limits of the settings. */
export function requestSchemas(settings: Settings): Readonly<Record<RequestShape, OpenApiPart>> {
  const page = { cursor: text(), page: integer({ minimum: 1 }) };
  const repoName = text({ maxLength: settings.repo_name_max, pattern: '^[a-zA-Z0-9][a-zA-Z0-9._-]*$' });
  const description = nullable(text({ maxLength: settings.description_max }));
  const limit = (max: number, absent: number): OpenApiPart => integer({ minimum: 1, maximum: max, default: absent });
  const readOnly = truth({ default: false });
  const force = truth({ default: false });
  const signature = object(
    {
      name: text({ example: 'Ada' }),
      email: text({ example: 'ada@example.com' }),
      time: { ...unixSeconds, description: 'Unix seconds; default: now' },
      timezone: text({ default: '+0000' }),
    },
    ['name', 'email'],
  );
  const source = {
    description: 'A revision, also of a fork or the parent',
    oneOf: [
      text({ description: 'A revision', example: 'next' }),
      object(
        {
          namespace: text({ description: 'Default: that of the repository' }),
          repo: text({ description: 'A fork, or the parent', example: forkName }),
          ref: text({ default: 'HEAD' }),
        },
        ['repo'],
      ),
    ],
  };
  const into = text({ description: 'A branch', example: 'main' });
  const expectedHead = { ...hash, description: 'The head that into must have' };
  const mainline = integer({ minimum: 1, description: 'The parent that a merge commit is compared with, from 1' });
  const allowEmpty = truth({ default: false });
  const expected = { ...nullable(hash), description: 'The value that the ref must have; null: it must not exist' };
  return {
    createNamespace: object(
      {
        namespace: text({ minLength: settings.namespace_name_min, maxLength: settings.namespace_name_max }),
        jurisdiction: text({ enum: settings.jurisdictions, default: 'unrestricted' }),
      },
      ['namespace'],
    ),
    listNamespaces: object(
      { limit: limit(settings.namespaces_page_max, settings.namespaces_page_default), ...page },
      [],
    ),
    createRepo: object(
      { name: repoName, description, default_branch: text({ default: 'main' }), read_only: readOnly },
      ['name'],
    ),
    updateRepo: object(
      {
        name: nullable(repoName),
        description: nullable(
          text({ maxLength: settings.description_max, description: 'Null for none', example: 'Agent notes' }),
        ),
        default_branch: nullable(text({ description: 'HEAD follows; the branch need not exist' })),
        read_only: nullable(truth()),
      },
      [],
    ),
    forkRepo: object(
      {
        name: { ...repoName, description: 'Of the new repository', example: forkName },
        description,
        read_only: readOnly,
        default_branch_only: truth({ default: true, description: 'False takes every branch and tag' }),
      },
      ['name'],
    ),
    importRepo: object(
      {
        url: text({
          format: 'uri',
          description: 'HTTPS, without a user name or password',
          example: 'https://github.com/owner/repo',
        }),
        branch: nullable(text({ description: 'Only this one, and tags that point into it' })),
        depth: nullable(integer({ minimum: 1, description: 'Only so many commits of history' })),
        read_only: readOnly,
        description,
      },
      ['url'],
    ),
    listRepos: object(
      {
        limit: limit(settings.repos_page_max, settings.repos_page_default),
        ...page,
        search: text({ maxLength: settings.search_max }),
        sort: text({ enum: ['created_at', 'updated_at', 'last_push_at', 'name'], default: 'created_at' }),
        direction: text({ enum: ['asc', 'desc'], default: 'desc' }),
      },
      [],
    ),
    listCommits: object(
      {
        ref: text({ default: 'HEAD', description: 'One revision, or several with a space in between' }),
        limit: integer({ minimum: 1, default: settings.log_page_default }),
        offset: integer({ minimum: 0, default: 0 }),
        path: text({ description: 'Only commits that change this file or folder' }),
        parents: text({ enum: ['first', 'all'], default: 'first' }),
        author: text({ maxLength: 512, description: 'Part of "Name <address>"' }),
        since: integer({ minimum: 0, description: 'Unix seconds' }),
        until: integer({ minimum: 0, description: 'Unix seconds' }),
        cursor: text({ description: 'With any parameter from path on, the reply has result_info' }),
      },
      [],
    ),
    listRefs: object(
      {
        limit: limit(refPageRows.max, refPageRows.default),
        cursor: text(),
        prefix: text({ description: 'The start of full names', example: 'refs/heads/' }),
      },
      [],
    ),
    createCommit: object(
      {
        branch: text({ example: 'main' }),
        from: text({
          description: 'Revision where a new branch begins; default: the default branch, or a root if it has no commit',
        }),
        expected_head: { ...nullable(hash), description: 'The head that the branch must have; null: no branch' },
        message: text({ minLength: 1, example: 'Add plan' }),
        author: signature,
        committer: signature,
        allow_empty: truth({ default: false }),
        changes: list(
          object(
            {
              op: text({ enum: ['put', 'delete', 'move'] }),
              path: text({ example: 'docs/plan.md' }),
              from: text({ description: 'With move: the path before' }),
              content: text({ description: 'With put: the content, or a hash instead' }),
              encoding: text({ enum: ['utf-8', 'base64'], default: 'utf-8' }),
              hash,
              mode: text({ enum: ['100644', '100755', '120000'] }),
            },
            ['op', 'path'],
          ),
          { maxItems: changesMax, example: [{ op: 'put', path: 'docs/plan.md', content: '# The plan\n' }] },
        ),
      },
      ['branch', 'message', 'author'],
    ),
    merge: object(
      {
        into,
        from: source,
        strategy: text({ enum: ['merge', 'ff-only', 'squash'], default: 'merge' }),
        expected_head: expectedHead,
        expected_from: { ...hash, description: 'The commit that from must have' },
        message: text({ minLength: 1, description: 'Default: as git merge; required with squash' }),
        author: {
          ...signature,
          description: 'Required unless ff-only',
          example: { name: 'Ada', email: 'ada@example.com' },
        },
        committer: signature,
      },
      ['into', 'from'],
    ),
    cherryPick: object(
      {
        into,
        commit: source,
        mainline,
        expected_head: expectedHead,
        message: text({ minLength: 1, description: 'Default: that of the commit' }),
        committer: signature,
        allow_empty: allowEmpty,
      },
      ['into', 'commit', 'committer'],
    ),
    revert: object(
      {
        into,
        commit: text({ description: 'A revision', example: 'main' }),
        mainline,
        expected_head: expectedHead,
        message: text({ minLength: 1, description: 'Default: as git revert' }),
        author: signature,
        committer: signature,
        allow_empty: allowEmpty,
      },
      ['into', 'commit', 'author'],
    ),
    setRef: object({ old: expected, new: hash, force }, ['new']),
    deleteRef: object({ old: hash }, []),
    updateRefs: object({
      updates: list(
        object({ name: text({ example: 'refs/heads/main' }), old: expected, new: nullable(hash), force }, [
          'name',
          'new',
        ]),
        { minItems: 1, maxItems: updatesMax },
      ),
    }),
    listTree: object(
      {
        ref: text({ default: 'HEAD' }),
        path: text({ description: 'Default: the root', example: 'docs' }),
        recursive: truth({ default: false }),
        depth: integer({ minimum: 1, description: 'Levels of folders; default 1, or all if recursive' }),
        limit: limit(1000, 1000),
        cursor: text(),
      },
      [],
    ),
    readFiles: object(
      {
        ref: text({ default: 'HEAD' }),
        paths: list(text({ example: 'plan.md' }), { minItems: 1, maxItems: 1000 }),
      },
      ['paths'],
    ),
    getCommit: object(
      { include: text({ enum: ['changes'], description: 'Adds the files that the commit changes' }) },
      [],
    ),
    getFile: object({ ref: text({ default: 'HEAD' }), path: text() }, ['path']),
    compareCommits: object(
      {
        base: text({ description: 'A revision, or one of a fork or parent as repo:revision', example: 'main' }),
        head: text({ description: 'The same', example: 'notes-try:main' }),
      },
      ['base', 'head'],
    ),
    getArchive: object(
      {
        path: text({ description: 'The only file or folder to archive' }),
        prefix: text({ description: 'Put before each path; a folder has a slash at its end', example: 'notes/' }),
      },
      [],
    ),
    searchFiles: object(
      {
        q: text({ minLength: 1, maxLength: 512, description: 'A text, or a regular expression', example: 'plan' }),
        ref: text({ default: 'HEAD' }),
        path: text({ description: 'A folder or file', example: 'docs' }),
        regex: truth({ default: false, description: 'True: q is a regular expression in the syntax of RE2' }),
        ignore_case: truth({ default: false }),
        limit: limit(1000, 100),
        cursor: text(),
      },
      ['q'],
    ),
    createWebhook: object(webhookMembers, ['url']),
    updateWebhook: object({ ...webhookMembers, active: truth() }, []),
    createToken: object(
      {
        repo: text(),
        scope: { ...scope, default: 'write' },
        ttl: integer({
          minimum: settings.token_ttl_min,
          maximum: settings.token_ttl_max,
          default: settings.token_ttl_default,
        }),
      },
      ['repo'],
    ),
    createApiToken: object(
      {
        name: text({ minLength: 1, maxLength: 100, example: 'CI of team' }),
        permissions: { ...list(tokenPermission), minItems: 1 },
        namespace: text({ description: 'Limits the token to a namespace', example: 'team' }),
        repo: text({ description: 'Limits the token to a repository of that namespace', example: 'notes' }),
        ttl: integer({
          minimum: settings.token_ttl_min,
          maximum: settings.api_token_ttl_max,
          default: settings.api_token_ttl_default,
        }),
      },
      ['name', 'permissions'],
    ),
    listTokens: object(
      {
        page: integer({ minimum: 1, default: 1 }),
        per_page: limit(settings.tokens_page_max, settings.tokens_page_default),
        state: text({ enum: ['active', 'expired', 'revoked', 'all'], default: 'active' }),
      },
      [],
    ),
  };
}
