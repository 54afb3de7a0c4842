import type { TokenRecord, TokenScope } from '@packhouse/hosting';
import type { SqlDriver } from '../sql/driver.ts';

interface TokenRow {
  readonly id: string;
  readonly secret_hash: string;
  readonly scope: TokenScope;
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** The tokens of one repository in SQL. */
export class SqlTokens {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** The token with that SHA-256 (TOKEN-014), in whatever state. */
  find(secretHash: string): TokenRecord | undefined {
    const [row] = this.#driver.all<TokenRow>(
      'SELECT * FROM tokens WHERE repo_id = ? AND secret_hash = ?',
      this.#repo,
      secretHash,
    );
    return row && tokenOf(row);
  }

  /** All tokens, newest first, ties by id (TOKEN-010). */
  list(): TokenRecord[] {
    return this.#driver
      .all<TokenRow>('SELECT * FROM tokens WHERE repo_id = ? ORDER BY created_at DESC, id', this.#repo)
      .map(tokenOf);
  }

  /** Adds a token; one with a known id is left as it is, so that a repeated call does no harm. */
  add(token: TokenRecord): void {
    this.#driver.run(
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
  }

  /** Drops the oldest of those that have ended at `at`, so that `history` of them stay (TOKEN-011). */
  dropEnded(at: number, history: number): void {
    this.#driver.run(
      `DELETE FROM tokens WHERE repo_id = ?1 AND id IN (
         SELECT id FROM tokens WHERE repo_id = ?1 AND (revoked_at IS NOT NULL OR expires_at <= ?2)
         ORDER BY created_at DESC, id LIMIT -1 OFFSET ?3)`,
      this.#repo,
      at,
      history,
    );
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
