import type { Dialect } from '@packhouse/hosting';
import { type Authorizer, type Grant, hashSecret } from '@packhouse/base';
import type { ApiTokenEntry } from './config.ts';
import type { ApiPermission } from './permissions.ts';

/**
 * Authorizes a fixed list of API tokens. Tokens are looked up by their SHA-256, so that the duration of a look-up does
 * not reveal how many characters of a guess are right. If several entries have the same token, their permissions add
 * up.
 */
export function listedTokens(entries: readonly ApiTokenEntry[], dialect: Dialect): Authorizer {
  let known: ReadonlyMap<string, readonly Grant[]> | undefined;
  return {
    async authorize(token) {
      // Cache the result, not the promise: on Workers a request must not await a promise that another request started.
      known ??= await grantsByHash(entries, dialect);
      return known.get(await hashSecret(token));
    },
  };
}

async function grantsByHash(
  entries: readonly ApiTokenEntry[],
  dialect: Dialect,
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  const grants = new Map<string, Grant[]>();
  for (const entry of entries) {
    const hash = entry.token_sha256 ?? (await hashSecret(entry.token ?? ''));
    const known = grants.get(hash) ?? [];
    for (const permission of entry.permissions) known.push(grantOf(entry, nameOf(permission, dialect)));
    grants.set(hash, known);
  }
  return grants;
}

function grantOf(entry: ApiTokenEntry, permission: string): Grant {
  return entry.zone === undefined ? { account: entry.account, permission } : { zone: entry.zone, permission };
}

/** Permissions of tags have the same names in both dialects (TAG-017). */
const tagNames = { 'tag.read': 'Tag Read', 'tag.write': 'Tag Write' } as const;

function nameOf(permission: ApiPermission, dialect: Dialect): string {
  return permission === 'read' || permission === 'edit' ? dialect.permissions[permission] : tagNames[permission];
}
