import { HostingError } from '../errors.ts';
import { Fields, type RawFields } from '../input/fields.ts';
import type { Context } from '../internal/context.ts';
import { isoTime } from '../internal/time.ts';
import { offsetPage, type Page } from '../lists/page.ts';
import { foldName } from '../names/fold.ts';
import { RepoGoneError } from '@packhouse/git';
import type { TokenScope } from '../ports/repo-storage.ts';
import { findReadyRepo } from '../repos/find-repo.ts';
import { mintToken } from './mint.ts';
import { tokenState, tokenStates, type TokenState } from './state.ts';

/** As REST shows it (REPO-054). */
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

/** Every method throws {@link HostingError} for what the client is to be told. */
export interface Tokens {
  /** Members of `body`: `repo`, `scope`, `ttl` (TOKEN-009). */
  create(account: string, namespace: string, body: RawFields): Promise<CreateTokenResult>;
  /** Parameters in `query`: `page`, `per_page`, `state` (REPO-095, TOKEN-010). */
  list(account: string, namespace: string, repo: string, query: RawFields): Promise<Page<TokenInfo>>;
  /** Resolves to the id (TOKEN-012). */
  revoke(account: string, namespace: string, id: string): Promise<string>;
}

export function createTokens(context: Context): Tokens {
  const { catalog, storage, clock, settings, report } = context;
  return {
    async create(account, namespace, body) {
      const fields = new Fields(body);
      const name = fields.string('repo');
      const scope = fields.option('scope', ['read', 'write'] as const, 'write');
      const ttl = readTtl(fields);
      fields.check();
      const repo = await findReadyRepo(context, account, namespace, name);
      const now = clock.now();
      const { record, plaintext } = await mintToken(context, { scope, ttl, now });
      // The catalog comes first: a token that works is then always one that can be revoked.
      const known = await catalog(account).addToken(repo.id, record, now, settings.token_history);
      if (!known) throw new HostingError('repoNotFound');
      const dropped = await storage
        .repo(account, repo.id, repo.jurisdiction)
        .state.addToken(record, now, settings.token_history)
        .catch(repoGone);
      // A line too many does no harm, and the token is there: that it is shown must not hang on this.
      if (dropped.length > 0) await catalog(account).dropTokens(dropped).catch(report);
      return { id: record.id, plaintext, scope, expires_at: isoTime(record.expiresAt) };
    },

    async list(account, namespace, name, query) {
      const fields = new Fields(query);
      const page = fields.integer('page', { min: 1 }, 1);
      const limit = fields.integer('per_page', { min: 1, max: settings.tokens_page_max }, settings.tokens_page_default);
      const wanted = fields.option('state', [...tokenStates, 'all'] as const, 'active');
      fields.check();
      const repo = await findReadyRepo(context, account, namespace, name);
      const now = clock.now();
      const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
      const { tokens, total } = await storage
        .repo(account, repo.id, repo.jurisdiction)
        .state.tokens({ state: wanted, at: now, limit, offset })
        .catch(repoGone);
      const rows = tokens.map((token) => ({
        id: token.id,
        scope: token.scope,
        state: tokenState(token, now),
        created_at: isoTime(token.createdAt),
        expires_at: isoTime(token.expiresAt),
      }));
      return offsetPage(rows, page, limit, total);
    },

    async revoke(account, namespace, id) {
      const repo = /^[0-9a-z]{16}$/.test(id) ? await catalog(account).tokenRepo(id) : undefined;
      if (repo === undefined || foldName(repo.namespace) !== foldName(namespace)) {
        throw new HostingError('tokenNotFound');
      }
      const { state } = storage.repo(account, repo.id, repo.jurisdiction);
      const outcome = await state.revokeToken(id, clock.now()).catch((error: unknown) => {
        if (error instanceof RepoGoneError) return 'unknown';
        throw error;
      });
      if (outcome === 'unknown') throw new HostingError('tokenNotFound');
      return id;
    },
  };

  /** Any other value than an integer in the range has a text of its own (TOKEN-009, LIM-010). */
  function readTtl(fields: Fields): number {
    const { token_ttl_min: min, token_ttl_max: max, token_ttl_default: absent } = settings;
    const ttl = fields.value('ttl') ?? absent;
    if (Number.isInteger(ttl) && (ttl as number) >= min && (ttl as number) <= max) return ttl as number;
    fields.fail('ttl', `ttl must be between ${min} and ${max} seconds`, 'invalidTtl');
    return absent;
  }
}

/** A repo that was deleted between the look into the catalog and the visit. */
function repoGone(error: unknown): never {
  throw error instanceof RepoGoneError ? new HostingError('repoNotFound') : error;
}
