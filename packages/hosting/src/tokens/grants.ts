import type { Grant } from '@packhouse/base';
import type { Dialect } from '../dialect/dialect.ts';
import { reachOf, tokenPermissions, type TokenPermission, type TokenReach } from '../ports/api-token-reach.ts';
import type { ApiTokenRecord } from '../ports/api-tokens.ts';

/** A permission in a part of an account. */
export interface Right {
  readonly permission: TokenPermission;
  readonly reach: TokenReach;
}

/** Returns the rights of grants in one account. Drops grants of zones, and those that only list tags (TAG-017). */
export function rightsOf(grants: readonly Grant[], account: string, dialect: Dialect): readonly Right[] {
  return grants.flatMap((grant) => {
    const permission = permissionOf(grant.permission, dialect);
    if (grant.account !== account || permission === undefined) return [];
    return [{ permission, reach: reachOf(grant) }];
  });
}

function permissionOf(name: string, { permissions: { read, edit } }: Dialect): TokenPermission | undefined {
  switch (name) {
    case read:
      return 'read';
    case edit:
      return 'edit';
    case 'Tag Read':
      return 'tag.read';
    case 'Tag Write':
      return 'tag.write';
    default:
      return tokenPermissions.find((permission) => permission === name && permission.includes('.'));
  }
}

/** Returns the grants of a stored token. */
export function grantsOf(record: ApiTokenRecord, account: string, dialect: Dialect): readonly Grant[] {
  const { id, namespace, repo, permissions } = record;
  return permissions.map((permission) => ({
    account,
    ...(namespace !== null && { namespace }),
    ...(repo !== null && { repo }),
    permission: permission === 'read' || permission === 'edit' ? dialect.permissions[permission] : permission,
    token: id,
  }));
}
