import { isAccountId, type Grant } from '@packhouse/hosting/tagging';
import type { Dialect } from '@packhouse/hosting/dialects';
import { MockOptionsError } from '../handlers/origin.ts';
import { shown } from './shown.ts';

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

/**
 * The API tokens of a mock. Whoever tests a front-end needs none that is known, unless it is the tokens that are tested.
 *
 * @throws {MockOptionsError} for one that would be let in nowhere.
 */
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
  for (const [number, entry] of tokens.entries()) {
    checkToken(`apiTokens[${number}]`, entry, names, zones);
    const place = entry.zone === undefined ? { account: entry.account ?? account } : { zone: entry.zone };
    const known = grants.get(entry.token) ?? [];
    known.push(...entry.permissions.map((permission): Grant => ({ ...place, permission: names[permission] })));
    grants.set(entry.token, known);
  }
  return (token) => grants.get(token);
}

/** @throws {MockOptionsError} for one that would be let in nowhere. */
function checkToken(
  place: string,
  entry: ApiToken,
  names: Readonly<Record<ApiPermission, string>>,
  zones: readonly string[],
): void {
  const demand = (holds: boolean, member: string, expected: string, value: unknown): void => {
    if (!holds) throw new MockOptionsError(`${place}${member}: expected ${expected}, got ${shown(value)}`);
  };
  demand(typeof entry === 'object' && entry !== null, '', 'a token with its permissions', entry);
  const { token, permissions, account, zone } = entry;
  demand(typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token), '.token', 'a text without spaces', token);
  const known = (permission: unknown): boolean => typeof permission === 'string' && Object.hasOwn(names, permission);
  const isKnown = Array.isArray(permissions) && permissions.every(known);
  demand(isKnown, '.permissions', `a list of ${Object.keys(names).join(', ')}`, permissions);
  demand(account === undefined || isAccountId(account), '.account', 'an id of 1 to 64 characters', account);
  demand(zone === undefined || zones.includes(zone), '.zone', 'one of the zones of the mock', zone);
  for (const name of Object.keys(entry)) {
    const isMember = ['token', 'permissions', 'account', 'zone'].includes(name);
    demand(isMember, '', 'token, permissions, and account or zone', entry);
  }
}

/** The accounts that a mock serves. */
export function servedAccounts(account: string, tokens: readonly ApiToken[] | undefined): readonly string[] {
  return [...new Set([account, ...(tokens ?? []).flatMap((entry) => entry.account ?? [])])];
}
