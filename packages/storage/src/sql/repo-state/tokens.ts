import type { TokenList, TokenPart, TokenRecord, TokenScope } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import { droppedTokensMax } from '../../repo-state/change.ts';

interface TokenRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly scope: TokenScope;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** Conditions equivalent to `tokenState`; `active` and `expired` take the time as a parameter. */
const conditions: Readonly<Record<TokenList['state'], string>> = {
  all: '',
  active: 'AND revoked_at IS NULL AND expires_at > ?',
  expired: 'AND revoked_at IS NULL AND expires_at <= ?',
  revoked: 'AND revoked_at IS NOT NULL',
};

/** Tokens of one repository in SQL. */
export class SqlTokens {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Finds the token with this SHA-256, in any state (TOKEN-014). */
  find(secretHash: string): TokenRecord | undefined {
    const [row] = this.#driver.all<TokenRow>(
      'SELECT * FROM tokens WHERE repo_id = ? AND secret_hash = ?',
      this.#repo,
      secretHash,
    );
    return row && tokenOf(row);
  }

  /** Newest first, ties by id (TOKEN-010). */
  list({ state, at, limit, offset }: TokenList): TokenPart {
    const parameters = [this.#repo, ...(state === 'active' || state === 'expired' ? [at] : [])];
    const rows = this.#driver.all<TokenRow>(
      `SELECT * FROM tokens WHERE repo_id = ? ${conditions[state]} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
      ...parameters,
      limit,
      offset,
    );
    const [count] = this.#driver.all<{ total: number }>(
      `SELECT count(*) AS total FROM tokens INDEXED BY tokens_by_time WHERE repo_id = ? ${conditions[state]}`,
      ...parameters,
    );
    return { tokens: rows.map(tokenOf), total: count?.total ?? 0 };
  }

  /** Adds a token. Returns false without changing it if the id exists, so that calls can be repeated. */
  add(token: TokenRecord): boolean {
    const added = this.#driver.run(
      `INSERT INTO tokens (repo_id, id, secret_hash, scope, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (repo_id, id) DO NOTHING`,
      this.#repo,
      token.id,
      token.secretHash,
      token.scope,
      token.createdAt,
      token.expiresAt,
      token.revokedAt,
    );
    return added > 0;
  }

  /**
   * Drops a bounded number of tokens that have ended at `at`, beyond the newest `history` (TOKEN-011). Returns their
   * ids.
   */
  dropEnded(at: number, history: number): string[] {
    const ids = this.#driver
      .all<{ id: string }>(
        `SELECT id FROM tokens WHERE repo_id = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
         ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
        this.#repo,
        at,
        droppedTokensMax,
        history,
      )
      .map(({ id }) => id);
    if (ids.length > 0) {
      this.#driver.run(
        'DELETE FROM tokens WHERE repo_id = ? AND id IN (SELECT value FROM json_each(?))',
        this.#repo,
        JSON.stringify(ids),
      );
    }
    return ids;
  }

  revoke(id: string, at: number): 'revoked' | 'ended' | 'unknown' {
    const changed = this.#driver.run(
      'UPDATE tokens SET revoked_at = ?2 WHERE repo_id = ?1 AND id = ?3 AND revoked_at IS NULL AND expires_at > ?2',
      this.#repo,
      at,
      id,
    );
    if (changed > 0) return 'revoked';
    const known = this.#driver.all('SELECT 1 FROM tokens WHERE repo_id = ? AND id = ?', this.#repo, id);
    return known.length > 0 ? 'ended' : 'unknown';
  }
}

function tokenOf(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    scope: row.scope,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
