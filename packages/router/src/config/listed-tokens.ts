import type { Dialect } from '@packhouse/hosting';
import { type Authorizer, type Grant, hashSecret } from '@packhouse/base';
import type { ApiTokenEntry } from './config.ts';
import type { ApiPermission } from './permissions.ts';

/**
 * Knows a fixed list of API tokens by their SHA-256, so that the time of a look-up says nothing about how much of a
 * token was right. Several entries of one token add up.
 */
export function listedTokens(entries: readonly ApiTokenEntry[], dialect: Dialect): Authorizer {
  let known: ReadonlyMap<string, readonly Grant[]> | undefined;
  return {
    async authorize(token) {
      // Never a promise that requests share: on Workers one must not wait for what another began.
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

/** TAG-017: those of tags are the same in both dialects. */
const tagNames = { 'tag.read': 'Tag Read', 'tag.write': 'Tag Write' } as const;

function nameOf(permission: ApiPermission, dialect: Dialect): string {
  return permission === 'read' || permission === 'edit' ? dialect.permissions[permission] : tagNames[permission];
}
