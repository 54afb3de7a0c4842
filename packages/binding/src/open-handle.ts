import {
  hasTokenForm,
  changesMax,
  updatesMax,
  type Hosting,
  type RepoIdentity,
  type RepoTokens,
  type TokenInfo,
  type UploadBody,
} from '@packhouse/hosting';
import { HostingError, secretOf } from '@packhouse/base';
import type { Failures } from './failures.ts';
import { given, givenFlag, givenNumber, givenOptions, requireRepoName } from './given.ts';
import { mergeArguments, mergeCall } from './merge-calls.ts';
import { compare, compareArguments } from './read-changes.ts';
import { readArchive, readBlob, readCommit, readFile, readLog, readTree, type ContentContext } from './read-content.ts';
import { filesArguments, listArguments, listTree, readFiles, readFilteredLog } from './read-lists.ts';
import type { RepoErrorCode } from './repo-error-code.ts';
import type { RepoError } from './repo-error.ts';
import type { Repo } from './repo.ts';
import { shownInfo, shownNewRepo, shownNewToken, shownToken } from './shown.ts';
import type { TokenListResult } from './results.ts';

/** Dependencies of a handle. */
export interface HandleContext extends ContentContext {
  readonly hosting: Hosting;
}

/** Names of arguments by the pointers of the service. A function, if there are many, makes them for a failure alone. */
type ArgumentNames = Readonly<Record<string, string>>;

/** Codes whose cause may be that the repository is gone, which the caller then learns instead (BIND-084). */
const yieldingCodes: readonly RepoErrorCode[] = ['INVALID_INPUT', 'INVALID_REPO_NAME', 'INVALID_TTL', 'INTERNAL_ERROR'];

/** Opens a handle on the repo with this id (BIND-038, BIND-060). */
export function openHandle(context: HandleContext, identity: RepoIdentity): Repo {
  const { hosting, failures } = context;
  let held: RepoIdentity | undefined = identity;

  /** `work` throws for invalid arguments; the function that it returns looks up the repo. */
  const call = async <Result>(
    work: () => (repo: RepoIdentity) => Promise<Result>,
    names: ArgumentNames | (() => ArgumentNames) = {},
  ): Promise<Result> => {
    const repo = held;
    // A disposed handle throws a plain `Error` (BIND-101).
    if (repo === undefined) throw new Error('The handle of the repository was disposed of.');
    try {
      return await work()(repo);
    } catch (thrown) {
      throw await explained(context, repo, thrown, typeof names === 'function' ? names() : names);
    }
  };

  return {
    info: () =>
      call(
        () =>
          async ({ account, id }) =>
            shownInfo(await hosting.repos.getById(account, id)),
      ),

    update: (fields) =>
      call(
        () => {
          const { name, description, defaultBranch, readOnly } = givenOptions(failures, fields, 'fields');
          if (name !== undefined) requireRepoName(failures, name, hosting.settings.repo_name_max);
          const body = {
            name,
            description: description === null ? null : given(description),
            default_branch: given(defaultBranch),
            read_only: given(readOnly),
          };
          if (Object.values(body).every((value) => value === undefined)) {
            throw failures.error('INVALID_INPUT', 'Invalid input: expected at least one member (fields)');
          }
          return async ({ account, id }) => shownInfo(await hosting.repos.updateById(account, id, body));
        },
        {
          '/name': 'fields.name',
          '/description': 'fields.description',
          '/default_branch': 'fields.defaultBranch',
          '/read_only': 'fields.readOnly',
        },
      ),

    createToken: (scope, ttl) =>
      call(() => {
        const wanted: unknown = scope === undefined ? 'write' : scope;
        if (wanted !== 'read' && wanted !== 'write') {
          throw failures.error('INVALID_INPUT', 'Invalid option: expected one of "read"|"write" (scope)');
        }
        return async (repo) =>
          shownNewToken(await hosting.repoTokens.create(repo, { scope: wanted, ttl: givenNumber(ttl) }));
      }),

    listTokens: () => call(() => (repo) => listTokens(hosting.repoTokens, repo)),

    revokeToken: (tokenOrId) => call(() => revoking(context, tokenOrId)),

    readBlob: (hash) => call(() => readBlob(context, hash)),
    readTree: (hash) => call(() => readTree(context, hash)),
    readCommit: (hash, opts) => call(() => readCommit(context, hash, opts)),
    readFile: (args) => call(() => readFile(context, args)),
    log: (opts) => call(() => readFilteredLog(context, opts) ?? readLog(context, opts), listArguments),
    readFiles: (args) => call(() => readFiles(context, args), filesArguments),
    listTree: (opts) => call(() => listTree(context, opts), listArguments),

    compare: (args) => call(() => compare(context, args), compareArguments),

    archive: (ref, opts) =>
      call(() => readArchive(context, ref, opts), {
        '/format': 'opts.format',
        '/path': 'opts.path',
        '/prefix': 'opts.prefix',
      }),

    listRefs: (opts) =>
      call(
        () => {
          const { prefix, limit, cursor } = givenOptions(failures, opts, 'opts');
          const query = { prefix: given(prefix), limit: givenNumber(limit), cursor: given(cursor) };
          return async (repo) => {
            const { rows, info } = await hosting.refs.list(repo, query);
            return { refs: rows.map((ref) => ({ ...ref })), ...(info.cursor !== '' && { cursor: info.cursor }) };
          };
        },
        { '/prefix': 'opts.prefix', '/limit': 'opts.limit', '/cursor': 'opts.cursor' },
      ),

    updateRefs: (updates) =>
      call(
        () => {
          if (!Array.isArray(updates)) throw failures.error('INVALID_INPUT', 'Invalid input: expected array (updates)');
          return async (repo) => {
            const changes = await hosting.refs.update(repo, { updates });
            return changes.map((change) => ({ ...change }));
          };
        },
        () => updateArguments(updates),
      ),

    commit: (opts) =>
      call(
        () => {
          const { expectedHead, allowEmpty, idempotencyKey, ...others } = givenOptions(failures, opts ?? null, 'opts');
          const body = {
            ...others,
            ...(expectedHead !== undefined && { expected_head: expectedHead }),
            ...(allowEmpty !== undefined && { allow_empty: given(allowEmpty) }),
          };
          return async (repo) => {
            const { ref, paths, ...made } = await hosting.commits.create(repo, body, { key: given(idempotencyKey) });
            return { ...made, ref: { ...ref }, paths: [...paths] };
          };
        },
        () => commitArguments(opts),
      ),

    merge: (opts) => call(() => mergeCall(context, 'merge', opts), mergeArguments),
    cherryPick: (opts) => call(() => mergeCall(context, 'cherryPick', opts), mergeArguments),
    revert: (opts) => call(() => mergeCall(context, 'revert', opts), mergeArguments),

    writeBlob: (content) =>
      call(() => {
        const body = bodyOf(failures, content);
        return async (repo) =>
          hosting.commits.writeBlob(repo, body()).catch((thrown: unknown) => {
            throw faultOfContent(context, thrown) ?? thrown;
          });
      }),

    search: (q, opts) =>
      call(
        () => {
          const { ref, path, regex, ignoreCase, limit, cursor } = givenOptions(failures, opts, 'opts');
          const query = {
            q: given(q),
            ref: given(ref),
            path: given(path),
            regex: givenFlag(regex),
            ignore_case: givenFlag(ignoreCase),
            limit: givenNumber(limit),
            cursor: given(cursor),
          };
          return async (repo) => {
            const { result, info } = await hosting.content.search(repo, query);
            const matches = result.matches.map((match) => ({ ...match }));
            return { ...result, matches, ...(info.cursor !== '' && { cursor: info.cursor }) };
          };
        },
        {
          '/q': 'q',
          '/ref': 'opts.ref',
          '/path': 'opts.path',
          '/regex': 'opts.regex',
          '/ignore_case': 'opts.ignoreCase',
          '/limit': 'opts.limit',
          '/cursor': 'opts.cursor',
        },
      ),

    fork: (name, opts) =>
      call(
        () => {
          requireRepoName(failures, name, hosting.settings.repo_name_max);
          const { description, readOnly, defaultBranchOnly } = givenOptions(failures, opts, 'opts');
          const body = {
            name,
            description: given(description),
            read_only: given(readOnly),
            default_branch_only: given(defaultBranchOnly),
          };
          return async ({ account, id }) => shownNewRepo(await hosting.repos.forkById(account, id, body));
        },
        {
          '/name': 'name',
          '/description': 'opts.description',
          '/read_only': 'opts.readOnly',
          '/default_branch_only': 'opts.defaultBranchOnly',
        },
      ),

    [Symbol.dispose]() {
      held = undefined;
    },
  };
}

/** Returns a function that opens the content of a blob, which has no effect before it is called. */
function bodyOf(failures: Failures, content: unknown): () => UploadBody {
  if (content instanceof Uint8Array) {
    const bytes = content.slice();
    return () => ({ stream: new Blob([bytes]).stream(), size: bytes.length });
  }
  if (content instanceof Blob) return () => ({ stream: content.stream(), size: content.size });
  if (content instanceof ReadableStream && !content.locked) return () => ({ stream: content, size: undefined });
  const expected = 'expected a Uint8Array, a Blob or an unlocked ReadableStream (content)';
  throw failures.error('INVALID_INPUT', `Invalid input: ${expected}`);
}

/** Returns the error of a stream that fails, has other chunks or is too long: faults of a body have no pointer. */
function faultOfContent({ failures, hosting }: HandleContext, thrown: unknown): RepoError | undefined {
  if (!(thrown instanceof HostingError)) return undefined;
  const { kind, message } = thrown;
  if (kind === 'invalidInput') return failures.error('INVALID_INPUT', `${message} (content)`);
  const tooLong = `Too big: expected at most ${hosting.settings.blob_max} bytes (content)`;
  return kind === 'bodyTooLarge' ? failures.error('INVALID_INPUT', tooLong) : undefined;
}

/** Returns the names of the members of updates, by the pointers of the service. */
function updateArguments(updates: unknown): ArgumentNames {
  const members = (Array.isArray(updates) ? updates : [])
    .slice(0, updatesMax)
    .flatMap((_, i) => [
      [`/updates/${i}`, `updates[${i}]`],
      ...['name', 'old', 'new', 'force'].map((name) => [`/updates/${i}/${name}`, `updates[${i}].${name}`]),
    ]);
  return { '/updates': 'updates', ...Object.fromEntries(members) };
}

/** Returns the names of the members of a commit, by the pointers of the service. */
function commitArguments(opts: unknown): ArgumentNames {
  const members = ['branch', 'from', 'message', 'author', 'committer', 'changes'].map((name) => [name, name]);
  const signatures = ['author', 'committer'].flatMap((who) =>
    ['name', 'email', 'time', 'timezone'].map((name) => [`${who}/${name}`, `${who}.${name}`]),
  );
  const changes = (opts as { readonly changes?: unknown } | undefined)?.changes;
  const ofChanges = (Array.isArray(changes) ? changes : [])
    .slice(0, changesMax)
    .flatMap((_, i) => [
      [`changes/${i}`, `changes[${i}]`],
      ...['op', 'path', 'from', 'hash', 'content', 'encoding', 'mode'].map((name) => [
        `changes/${i}/${name}`,
        `changes[${i}].${name}`,
      ]),
    ]);
  const renamed = [
    ['expected_head', 'expectedHead'],
    ['allow_empty', 'allowEmpty'],
    ['idempotency_key', 'idempotencyKey'],
  ];
  const all = [...members, ...signatures, ...renamed, ...ofChanges];
  return Object.fromEntries(all.map(([pointer, name]) => [`/${pointer}`, `opts.${name}`]));
}

/** Checks the argument, then revokes (BIND-064, BIND-065). */
function revoking({ hosting, failures }: HandleContext, tokenOrId: unknown): (repo: RepoIdentity) => Promise<boolean> {
  const text = typeof tokenOrId === 'string' ? tokenOrId : '';
  const isId = /^[0-9a-z]{16}$/.test(text);
  if (!isId && !hasTokenForm(text)) {
    throw failures.error('INVALID_INPUT', 'Invalid input: expected the id or the plaintext of a token (tokenOrId)');
  }
  return async (repo) => {
    const id = isId ? text : await hosting.repoTokens.idOf(repo, secretOf(text) ?? '');
    return id !== undefined && (await hosting.repoTokens.revoke(repo, id)) === 'revoked';
  };
}

/**
 * Returns the error for the caller. A missing repo takes precedence over its consequences and over faults of arguments.
 */
async function explained(
  { hosting, failures }: { readonly hosting: Hosting; readonly failures: Failures },
  { account, id }: RepoIdentity,
  thrown: unknown,
  names: ArgumentNames,
): Promise<Error> {
  const wording = { arguments: names };
  const known = failures.known(thrown, wording);
  if (known !== undefined && !yieldingCodes.includes(known.code)) return known;
  try {
    await hosting.repos.getById(account, id);
  } catch (error) {
    const isGone = failures.known(error)?.code === 'NOT_FOUND';
    return isGone ? failures.told(error) : failures.told(thrown, wording);
  }
  return failures.told(thrown, wording);
}

/** Maximum number of listed tokens (BIND-063). */
const tokensMax = 1000;

/** Lists active tokens, then ended ones, each group newest first (BIND-063). */
async function listTokens(tokens: RepoTokens, repo: RepoIdentity): Promise<TokenListResult> {
  const part = { limit: tokensMax, offset: 0 };
  const active = await tokens.list(repo, { ...part, state: 'active' });
  const [expired, revoked] = await Promise.all([
    tokens.list(repo, { ...part, state: 'expired' }),
    tokens.list(repo, { ...part, state: 'revoked' }),
  ]);
  const ended = [...expired.tokens, ...revoked.tokens].toSorted(newestFirst);
  const endedIds = new Set(ended.map(({ id }) => id));
  // A token that ended since the first read counts as ended.
  const still = active.tokens.filter(({ id }) => !endedIds.has(id));
  return {
    tokens: [...still, ...ended].slice(0, tokensMax).map(shownToken),
    total: active.total + expired.total + revoked.total - (active.tokens.length - still.length),
  };
}

function newestFirst(a: TokenInfo, b: TokenInfo): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}
