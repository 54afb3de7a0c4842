import type { ApiTokenList, ApiTokenRecord, TokenPermission } from '@packhouse/hosting';

/** A row of stored API tokens. SQLite and PostgreSQL have the same columns. */
export interface ApiTokenRow extends Omit<ApiTokenRecord, 'permissions'> {
  /** JSON. */
  readonly permissions: string;
}

/** Columns of an {@link ApiTokenRow}. */
export const apiTokenColumns = `id, secret_hash AS "secretHash", name, permissions, namespace, repo_id AS "repo",
  created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

/** Names of the columns to write, in the order of {@link apiTokenValues}. */
export const apiTokenWritten =
  'account, id, secret_hash, name, permissions, namespace, folded, repo_id, created_by, created_at, expires_at, revoked_at';

export function apiTokenOf({ permissions, ...row }: ApiTokenRow): ApiTokenRecord {
  return { ...row, permissions: JSON.parse(permissions) as readonly TokenPermission[] };
}

/** @param folded the namespace in lower case. */
export function apiTokenValues(
  account: string,
  token: ApiTokenRecord,
  folded: string | null,
): (string | number | null)[] {
  return [
    account,
    token.id,
    token.secretHash,
    token.name,
    JSON.stringify(token.permissions),
    token.namespace,
    folded,
    token.repo,
    token.createdBy,
    token.createdAt,
    token.expiresAt,
    token.revokedAt,
  ];
}

/** Ended tokens that one call drops at most. */
export const droppedApiTokensMax = 1000;

/** Returns the condition of a state in the column names of both databases, equivalent to `tokenState`. */
export function apiTokenCondition(state: ApiTokenList['state'], at: string): string {
  switch (state) {
    case 'all':
      return `${at} IS NOT NULL`;
    case 'active':
      return `revoked_at IS NULL AND expires_at > ${at}`;
    case 'expired':
      return `revoked_at IS NULL AND expires_at <= ${at}`;
    case 'revoked':
      return `revoked_at IS NOT NULL AND ${at} IS NOT NULL`;
  }
}
