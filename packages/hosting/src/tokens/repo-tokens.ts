import { RepoGoneError } from '@packhouse/git';
import type { RepoIdentity } from '../lookup/open-repo.ts';
import { HostingError, isoTime, hashSecret } from '@packhouse/base';
import { eventSubject, tokenCreated, tokenRevoked } from '../events/token-events.ts';
import type { Context } from '../internal/context.ts';
import type { HostedRepoState, TokenScope } from '../ports/repo-storage.ts';
import { mintToken } from './mint.ts';
import { tokenState, type TokenState } from '../ports/token-state.ts';

/** A token in the form of REST (REPO-054). */
export interface TokenInfo {
  readonly id: string;
  readonly scope: TokenScope;
  readonly state: TokenState;
  readonly created_at: string;
  readonly expires_at: string;
}

/** REPO-054. */
export interface CreateTokenResult {
  readonly id: string;
  readonly plaintext: string;
  readonly scope: TokenScope;
  readonly expires_at: string;
}

/** The tokens of a repo by its id. Every method throws {@link HostingError}: `repoNotFound` once the repo is deleted. */
export interface RepoTokens {
  /**
   * `ttl`: whole seconds; anything may come in. Default: that of the settings (TOKEN-009).
   *
   * @throws {HostingError} `invalidTtl`, before the repo is looked for.
   */
  create(repo: RepoIdentity, token: { readonly scope: TokenScope; readonly ttl?: unknown }): Promise<CreateTokenResult>;
  /** Newest first, ties by id (TOKEN-010). `total`: of all in that state. */
  list(
    repo: RepoIdentity,
    part: { readonly state: TokenState | 'all'; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly tokens: readonly TokenInfo[]; readonly total: number }>;
  /** Revokes a token (TOKEN-012). Returns `ended` if it was not active any more. */
  revoke(repo: RepoIdentity, id: string): Promise<'revoked' | 'ended' | 'unknown'>;
  /** Returns the id of the repo's token with this secret, in any state; undefined if it does not exist. */
  idOf(repo: RepoIdentity, secret: string): Promise<string | undefined>;
}

export function createRepoTokens(context: Context): RepoTokens {
  const { catalog, storage, clock, settings, report } = context;
  const visit = async <Result>(
    { account, id, jurisdiction }: RepoIdentity,
    work: (state: HostedRepoState) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work(storage.repo(account, id, jurisdiction).state);
    } catch (error) {
      throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
    }
  };

  return {
    async create(repo, { scope, ttl: wanted }) {
      const ttl = wanted ?? settings.token_ttl_default;
      const fault = ttlFault(settings, ttl);
      if (fault !== undefined) throw new HostingError('invalidTtl', { text: fault });
      const now = clock.now();
      const { record, plaintext } = await mintToken(context, { scope, ttl: ttl as number, now });
      // The catalog comes first: a token that works is then always one that can be revoked.
      const known = await catalog(repo.account).addToken(repo.id, record, now, settings.token_history);
      if (!known) throw new HostingError('repoNotFound');
      const subject = await eventSubject(context, repo.account, repo.id);
      const event = tokenCreated(context, subject, record, now);
      const dropped = await visit(repo, (state) => state.addToken(record, now, settings.token_history, event));
      // A superfluous record does no harm, so its failure must not hide the new token.
      if (dropped.length > 0) await catalog(repo.account).dropTokens(dropped).catch(report);
      return { id: record.id, plaintext, scope, expires_at: isoTime(record.expiresAt) };
    },

    async list(repo, part) {
      const now = clock.now();
      const { tokens, total } = await visit(repo, (state) => state.tokens({ ...part, at: now }));
      const rows = tokens.map((token) => ({
        id: token.id,
        scope: token.scope,
        state: tokenState(token, now),
        created_at: isoTime(token.createdAt),
        expires_at: isoTime(token.expiresAt),
      }));
      return { tokens: rows, total };
    },

    async revoke(repo, id) {
      const now = clock.now();
      const subject = await eventSubject(context, repo.account, repo.id);
      return visit(repo, (state) => state.revokeToken(id, now, tokenRevoked(context, subject, id, now)));
    },

    async idOf(repo, secret) {
      const hash = await hashSecret(secret);
      return visit(repo, (state) => state.tokenId(hash));
    },
  };
}

/** Returns the fault of a time to live in the text of TOKEN-009 (LIM-010); undefined without a fault. */
export function ttlFault(
  { token_ttl_min: min, token_ttl_max: max }: Context['settings'],
  ttl: unknown,
): string | undefined {
  const fits = Number.isInteger(ttl) && (ttl as number) >= min && (ttl as number) <= max;
  return fits ? undefined : `ttl must be between ${min} and ${max} seconds`;
}
