import type { RepoSnapshot } from '@packhouse/git';
import type { Context } from '../internal/context.ts';
import { isAccountId, hashSecret } from '@packhouse/base';
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
  readonly token: TokenRecord;
  readonly repo: HostedRepo;
  /** The snapshot that the whole request works on (GIT-156). */
  readonly snapshot: RepoSnapshot;
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

  const visit = async (account: string, { id, jurisdiction }: KnownRepo, hash: string) => {
    const repo = storage.repo(account, id, jurisdiction);
    const held = known.snapshot(id);
    const opened = await repo.state.open(hash, held?.version);
    return { repo, opened, held };
  };

  const find = async ({ account, namespace, repo }: GitRequest, hash: string) => {
    // Storage throws for accounts of another form.
    if (!isAccountId(account)) return visit(nobodysAccount, nobody, hash);
    if (settings.accounts !== 'any' && !settings.accounts.includes(account)) return visit(account, nobody, hash);
    const remembered = known.find(account, namespace, repo);
    if (remembered !== undefined) {
      const found = await visit(account, remembered, hash);
      if (found.opened.kind === 'open' && isSameName(found.opened.head.name, repo)) return found;
      known.forget(account, namespace, repo);
    }
    const record = await catalog(account).repo(namespace, repo);
    if (record !== undefined) known.note(account, namespace, repo, record);
    return visit(account, record ?? nobody, hash);
  };

  return async (request) => {
    if (dialect.explainsForeignTokens && !beginsLikeToken(request.secret, dialect.tokenPrefix)) {
      throw new GitRefusal('foreign token');
    }
    const hash = await hashSecret(request.secret);
    const { repo, opened, held } = await find(request, hash);
    const { head, token } = requireToken(opened, clock.now());
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
    return { head, token, repo, snapshot };
  };
}

function requireToken(opened: OpenedRepo, now: number): { head: RepoHead; token: TokenRecord } {
  if (opened.kind === 'gone' || opened.token === undefined || tokenState(opened.token, now) !== 'active') {
    throw new GitRefusal('invalid token');
  }
  return { head: opened.head, token: opened.token };
}
