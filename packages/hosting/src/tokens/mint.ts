import type { Dialect } from '../dialect/dialect.ts';
import { type Ids, hashSecret } from '@packhouse/base';
import type { TokenRecord, TokenScope } from '../ports/repo-storage.ts';

/** A new token: what is kept of it, and the plaintext that only the reply shows (TOKEN-003). */
export interface MintedToken {
  readonly record: TokenRecord;
  /** `<prefix><40 digits>?expires=<Unix seconds>` (TOKEN-001). */
  readonly plaintext: string;
}

/** `ttl` in seconds, `now` in milliseconds since 1970. */
export async function mintToken(
  { dialect, ids }: { readonly dialect: Dialect; readonly ids: Ids },
  { scope, ttl, now }: { readonly scope: TokenScope; readonly ttl: number; readonly now: number },
): Promise<MintedToken> {
  const secret = `${dialect.tokenPrefix}${ids.secret()}`;
  const expiresAt = now + ttl * 1000;
  return {
    record: {
      id: ids.id(),
      secretHash: await hashSecret(secret),
      scope,
      createdAt: now,
      expiresAt,
      revokedAt: null,
    },
    plaintext: `${secret}?expires=${Math.floor(expiresAt / 1000)}`,
  };
}
