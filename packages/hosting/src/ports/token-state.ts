import type { TokenRecord } from './repo-storage.ts';

export const tokenStates = ['active', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

/** Returns the state of a token: `revoked` for good, or `expired` from its time of expiry on (TOKEN-007). */
export function tokenState(token: Pick<TokenRecord, 'revokedAt' | 'expiresAt'>, now: number): TokenState {
  if (token.revokedAt !== null) return 'revoked';
  return now >= token.expiresAt ? 'expired' : 'active';
}
