import { createHash } from 'node:crypto';
import type { Authorizer, Dialect, Grant } from '@packhouse/hosting';
import type { ApiTokenEntry } from './config.ts';

/**
 * Knows a fixed list of API tokens by their SHA-256, so that the time of a look-up says nothing about how much of a
 * token was right. Several entries of one token add up.
 */
export function listedTokens(entries: readonly ApiTokenEntry[], dialect: Dialect): Authorizer {
  const grants = new Map<string, Grant[]>();
  for (const entry of entries) {
    const hash = entry.token_sha256 ?? sha256(entry.token ?? '');
    const known = grants.get(hash) ?? [];
    for (const permission of entry.permissions)
      known.push({ account: entry.account, permission: dialect.permissions[permission] });
    grants.set(hash, known);
  }
  return {
    authorize: async (token) => grants.get(sha256(token)),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
