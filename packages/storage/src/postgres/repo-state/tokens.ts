import type { PostgresSession } from '@packhouse/base';
import type { TokenList, TokenPart, TokenRecord } from '@packhouse/hosting';
import { droppedTokensMax } from '../../repo-state/change.ts';
import { readRows } from './repo-row.ts';

/** Selects a `TokenRecord`. */
const record = `id, secret_hash AS "secretHash", scope, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt"`;

/** Selects the token with the SHA-256 `$2`, in any state (TOKEN-014). */
export const tokenByHash: string = `SELECT ${record} FROM packhouse.tokens WHERE repo_id = $1 AND secret_hash = $2`;

/** Conditions equivalent to `tokenState`; `$2` is the time. */
const conditions: Readonly<Record<TokenList['state'], string>> = {
  all: '$2::int8 IS NOT NULL',
  active: 'revoked_at IS NULL AND expires_at > $2',
  expired: 'revoked_at IS NULL AND expires_at <= $2',
  revoked: 'revoked_at IS NOT NULL AND $2::int8 IS NOT NULL',
};

/** Returns a part of the tokens, newest first, ties by id (TOKEN-010). */
export async function listTokens(
  session: PostgresSession,
  repo: string,
  { state, at, limit, offset }: TokenList,
): Promise<TokenPart> {
  const these = `FROM packhouse.tokens WHERE repo_id = $1 AND ${conditions[state]}`;
  const rows = await readRows<{ readonly [Key in keyof TokenRecord]: TokenRecord[Key] | null } & { total: number }>(
    session,
    repo,
    `SELECT * FROM (SELECT count(*) AS total ${these}) AS counted
     LEFT JOIN (SELECT ${record} ${these} ORDER BY created_at DESC, id LIMIT $3 OFFSET $4) AS part ON true
     ORDER BY "createdAt" DESC, id`,
    [at, limit, offset],
  );
  const tokens = rows.filter(({ id }) => id !== null).map(({ total: _, ...token }) => token as TokenRecord);
  return { tokens, total: rows[0]?.total ?? 0 };
}

/** Adds a token. Returns false without changing it if the id exists, so that calls can be repeated. */
export async function addToken(session: PostgresSession, repo: string, token: TokenRecord): Promise<boolean> {
  const added = await session.rows(
    `INSERT INTO packhouse.tokens (repo_id, id, secret_hash, scope, created_at, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (repo_id, id) DO NOTHING RETURNING 1`,
    [repo, token.id, token.secretHash, token.scope, token.createdAt, token.expiresAt, token.revokedAt],
  );
  return added.length > 0;
}

/**
 * Drops a bounded number of tokens that have ended at `at`, beyond the newest `history` (TOKEN-011). Returns their ids.
 */
export async function dropEndedTokens(
  session: PostgresSession,
  repo: string,
  at: number,
  history: number,
): Promise<string[]> {
  const dropped = await session.rows<{ id: string }>(
    `WITH ended AS (
       SELECT id FROM packhouse.tokens WHERE repo_id = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2)
       ORDER BY created_at DESC, id LIMIT $3 OFFSET $4
     ), dropped AS (
       DELETE FROM packhouse.tokens WHERE repo_id = $1 AND id IN (SELECT id FROM ended)
     )
     SELECT id FROM ended`,
    [repo, at, droppedTokensMax, history],
  );
  return dropped.map(({ id }) => id);
}

export async function revokeToken(
  session: PostgresSession,
  repo: string,
  id: string,
  at: number,
): Promise<'revoked' | 'ended' | 'unknown'> {
  const [row] = await session.rows<{ revoked: boolean; known: boolean }>(
    `WITH revoked AS (
       UPDATE packhouse.tokens SET revoked_at = $3
       WHERE repo_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING 1
     )
     SELECT EXISTS (SELECT FROM revoked) AS revoked,
       EXISTS (SELECT FROM packhouse.tokens WHERE repo_id = $1 AND id = $2) AS known`,
    [repo, id, at],
  );
  if (row?.revoked === true) return 'revoked';
  return row?.known === true ? 'ended' : 'unknown';
}
