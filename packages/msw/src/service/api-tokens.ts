import type { Grant } from '@packhouse/hosting/tagging';
import type { Dialect } from '@packhouse/hosting/dialects';

/** What an API token allows; `edit` includes reading, and so does `tag.write`. */
export type ApiPermission = 'read' | 'edit' | 'tag.read' | 'tag.write';

/** An API token that the mock knows. */
export interface ApiToken {
  readonly token: string;
  readonly permissions: readonly ApiPermission[];
  /** Default: that of the mock. */
  readonly account?: string;
  /** In place of an account: the tags of the resources of one zone. */
  readonly zone?: string;
}

/** Finds what a token allows; undefined for one that is unknown. */
export type FindGrants = (token: string) => readonly Grant[] | undefined;

export interface ApiTokenOptions {
  readonly account: string;
  readonly zones: readonly string[];
  /** Undefined: every token that is sent may do everything. */
  readonly tokens: readonly ApiToken[] | undefined;
  /** Never known. */
  readonly unknownToken: string;
  readonly dialect: Dialect;
}

/** The API tokens of a mock. Whoever tests a front-end needs none that is known, unless it is the tokens that are tested. */
export function apiTokens({ account, zones, tokens, unknownToken, dialect }: ApiTokenOptions): FindGrants {
  const names: Readonly<Record<ApiPermission, string>> = {
    ...dialect.permissions,
    'tag.read': 'Tag Read',
    'tag.write': 'Tag Write',
  };
  if (tokens === undefined) {
    const everything: readonly Grant[] = [
      { account, permission: names.edit },
      { account, permission: names['tag.write'] },
      ...zones.map((zone) => ({ zone, permission: names['tag.write'] })),
    ];
    return (token) => (token === unknownToken ? undefined : everything);
  }
  const grants = new Map<string, Grant[]>();
  for (const entry of tokens) {
    const place = entry.zone === undefined ? { account: entry.account ?? account } : { zone: entry.zone };
    const known = grants.get(entry.token) ?? [];
    known.push(...entry.permissions.map((permission): Grant => ({ ...place, permission: names[permission] })));
    grants.set(entry.token, known);
  }
  return (token) => grants.get(token);
}

/** The accounts that a mock serves. */
export function servedAccounts(account: string, tokens: readonly ApiToken[] | undefined): readonly string[] {
  return [...new Set([account, ...(tokens ?? []).flatMap((entry) => entry.account ?? [])])];
}
