import type { RepoSnapshot } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import { isAccountId, isServedAccount, hashSecret } from '@packhouse/base';
import { covers, includesPermission, reachOf, type TokenPermission } from '../ports/api-token-reach.ts';
import type { ApiTokenRecord } from '../ports/api-tokens.ts';
import { findApiToken } from '../tokens/find-api-token.ts';
import type { HostedRepo, OpenedRepo, RepoHead, TokenRecord } from '../ports/repo-storage.ts';
import { notReadyRetryAfter } from '../lookup/find-repo.ts';
import { isSameName, type KnownRepo, type KnownRepos } from '../lookup/known-repos.ts';
import { tokenState } from '../ports/token-state.ts';
import { beginsLikeToken } from '../dialect/token-form.ts';
import { GitRefusal } from './git-refusal.ts';

export interface GitRequest {
  /** Account, namespace and repo are those of the URL, unchecked. */
  readonly account: string;
  readonly namespace: string;
  readonly repo: string;
  /** The secret from `parseGitCredential`. */
  readonly secret: string;
  readonly service: 'git-upload-pack' | 'git-receive-pack';
}

/** A repo that a Git request may work on. */
export interface GitAccess {
  readonly head: RepoHead;
  readonly token: Pick<TokenRecord, 'id' | 'scope'> & {
    /** True for a stored API token. */
    readonly isStored?: boolean;
  };
  readonly repo: HostedRepo;
  /** The snapshot that the whole request works on (GIT-156). */
  readonly snapshot: RepoSnapshot;
  /** Names of the events that webhooks get. */
  readonly wanted: readonly string[];
}

export type OpenForGit = (request: GitRequest) => Promise<GitAccess>;

/** A repo that never exists. Opening it for unknown names makes them cost one visit like any other (GIT-025). */
const nobody = { id: '0000000000000000', jurisdiction: 'unrestricted' };
const nobodysAccount = 'nobody';

/**
 * Creates the function that opens a repo for one Git request. It gets the id from the cache or the catalog, then reads
 * token, record and snapshot in one visit to the repo's state. If a cached id is gone or has another name, it asks the
 * catalog again, so that deletions and new names need not reach this process. The function makes the checks of GIT-008 from the credential to the
 * state, and throws {@link GitRefusal} if one fails.
 */
export function createOpenForGit(context: Context, known: KnownRepos): OpenForGit {
  const { catalog, clock, dialect, settings, storage } = context;
  const limiter = context.createLimiter(settings.rate_git, clock, 'rate_git');

  const visit = async (account: string, { id, jurisdiction }: KnownRepo, hash: string | null) => {
    const repo = storage.repo(account, id, jurisdiction);
    const held = known.snapshot(id);
    const opened = await repo.state.open(hash, held?.version);
    return { repo, opened, held };
  };

  /** @param stored the stored API token of the request. A repo that it does not reach counts as unknown. */
  const find = async (
    { account, namespace, repo }: GitRequest,
    hash: string | null,
    stored: ApiTokenRecord | undefined,
  ) => {
    const reaches = (id: string): boolean =>
      stored === undefined || covers(reachOf(stored), reachOf({ namespace, repo: id }));
    // Storage throws for accounts of another form.
    if (!isAccountId(account)) return visit(nobodysAccount, nobody, hash);
    if (!isServedAccount(account, settings.accounts)) return visit(account, nobody, hash);
    const remembered = known.find(account, namespace, repo);
    if (remembered !== undefined && reaches(remembered.id)) {
      const found = await visit(account, remembered, hash);
      if (found.opened.kind === 'open' && isSameName(found.opened.head.name, repo)) return found;
      known.forget(account, namespace, repo);
    }
    const record = await catalog(account).repo(namespace, repo);
    if (record !== undefined) known.note(account, namespace, repo, record);
    return visit(account, record !== undefined && reaches(record.id) ? record : nobody, hash);
  };

  return async (request) => {
    if (dialect.explainsForeignTokens && !beginsLikeToken(request.secret, dialect.tokenPrefix)) {
      throw new GitRefusal('foreign token');
    }
    const isServed = isServedAccount(request.account, settings.accounts);
    const stored = isServed ? await findApiToken(context, request.account, request.secret) : undefined;
    const hash = stored === undefined ? await hashSecret(request.secret) : null;
    const { repo, opened, held } = await find(request, hash, stored);
    const { head, token, wanted } =
      stored === undefined ? requireToken(opened, clock.now()) : requireStored(opened, stored);
    const retryAfter =
      storage.countsRequests === true && opened.kind === 'open'
        ? opened.retryAfter
        : await limiter.admit(`${head.account} ${head.id}`);
    if (retryAfter !== undefined) {
      const { requests, seconds } = settings.rate_git;
      throw new GitRefusal('rate', retryAfter, `${requests} requests in ${seconds} s (rate_git)`);
    }
    if (request.service === 'git-receive-pack') {
      if (token.scope !== 'write') throw new GitRefusal('scope');
      if (head.readOnly) throw new GitRefusal('read-only');
    }
    if (head.status !== 'ready') throw new GitRefusal(head.status, notReadyRetryAfter);
    const snapshot = opened.kind === 'open' ? (opened.snapshot ?? held) : undefined;
    if (snapshot === undefined) throw new Error('The state of the repo answered no snapshot');
    if (snapshot !== held) known.keep(head.id, snapshot);
    return { head, token, repo, snapshot, wanted };
  };
}

/** The permissions of a stored API token decide as the scope of a repo's token does (REPO-367). */
function requireStored(opened: OpenedRepo, stored: ApiTokenRecord): Pick<GitAccess, 'head' | 'token' | 'wanted'> {
  const allows = (wanted: TokenPermission): boolean =>
    stored.permissions.some((permission) => includesPermission(permission, wanted));
  if (opened.kind === 'gone' || !allows('git.read')) throw new GitRefusal('invalid token');
  return {
    head: opened.head,
    token: { id: stored.id, scope: allows('git.write') ? 'write' : 'read', isStored: true },
    wanted: opened.wanted,
  };
}

function requireToken(opened: OpenedRepo, now: number): Pick<GitAccess, 'head' | 'token' | 'wanted'> {
  if (opened.kind === 'gone' || opened.token === undefined || tokenState(opened.token, now) !== 'active') {
    throw new GitRefusal('invalid token');
  }
  return { head: opened.head, token: opened.token, wanted: opened.wanted };
}
