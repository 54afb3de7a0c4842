import { isAccountId, type Grant } from '@packhouse/base';
import type { Dialect } from '@packhouse/hosting/dialects';
import { MockOptionsError } from './origin.ts';
import { shown } from '../values/shown.ts';

/** The permission of an API token. `edit` includes `read`, and `tag.write` includes `tag.read`. */
export type ApiPermission = 'read' | 'edit' | 'tag.read' | 'tag.write';

/** A known API token with its permissions. */
export interface ApiToken {
  readonly token: string;
  readonly permissions: readonly ApiPermission[];
  /** Default: the account of the mock. */
  readonly account?: string;
  /** Replaces the account: grants access to the tags of one zone's resources. */
  readonly zone?: string;
}

/** Returns the grants of a token, or undefined for an unknown one. */
export type FindGrants = (token: string) => readonly Grant[] | undefined;

export interface ApiTokenOptions {
  readonly account: string;
  readonly zones: readonly string[];
  /** A token given as a text may do everything. Undefined: every token may do everything. */
  readonly tokens: readonly (string | ApiToken)[] | undefined;
  /** A token that is never known. */
  readonly unknownToken: string;
  readonly dialect: Dialect;
}

/**
 * Returns the lookup of API tokens. Tests that are not about tokens need not list any.
 *
 * @throws {MockOptionsError} for a token that would be accepted nowhere.
 */
export function apiTokens({ account, zones, tokens, unknownToken, dialect }: ApiTokenOptions): FindGrants {
  const names: PermissionNames = {
    ...dialect.permissions,
    'tag.read': 'Tag Read',
    'tag.write': 'Tag Write',
  };
  const everything: readonly Grant[] = [
    { account, permission: names.edit },
    { account, permission: names['tag.write'] },
    ...zones.map((zone) => ({ zone, permission: names['tag.write'] })),
  ];
  if (tokens === undefined) return (token) => (token === unknownToken ? undefined : everything);
  const grants = new Map<string, Grant[]>();
  for (const [number, entry] of tokens.entries()) {
    checkToken(`apiTokens[${number}]`, entry, names, zones);
    const token = typeof entry === 'string' ? entry : entry.token;
    const known = grants.get(token) ?? [];
    known.push(...(typeof entry === 'string' ? everything : grantsOf(entry, account, names)));
    grants.set(token, known);
  }
  return (token) => grants.get(token);
}

type PermissionNames = Readonly<Record<ApiPermission, string>>;

function grantsOf({ zone, account, permissions }: ApiToken, ofMock: string, names: PermissionNames): readonly Grant[] {
  const place = zone === undefined ? { account: account ?? ofMock } : { zone };
  return permissions.map((permission) => ({ ...place, permission: names[permission] }));
}

/**
 * Checks an API token.
 *
 * @throws {MockOptionsError} for a token that would be accepted nowhere.
 */
function checkToken(place: string, entry: string | ApiToken, names: PermissionNames, zones: readonly string[]): void {
  const demand = (holds: boolean, member: string, expected: string, value: unknown): void => {
    if (!holds) throw new MockOptionsError(`${place}${member}: expected ${expected}, got ${shown(value)}`);
  };
  const isToken = (value: unknown): boolean => typeof value === 'string' && /^[\x21-\x7e]{1,4096}$/.test(value);
  if (typeof entry === 'string') return demand(isToken(entry), '', 'a token without spaces', entry);
  demand(typeof entry === 'object' && entry !== null, '', 'a token, alone or with its permissions', entry);
  const { token, permissions, account, zone } = entry;
  demand(isToken(token), '.token', 'a text without spaces', token);
  const known = (permission: unknown): boolean => typeof permission === 'string' && Object.hasOwn(names, permission);
  const isKnown = Array.isArray(permissions) && permissions.every(known);
  demand(isKnown, '.permissions', `a list of ${Object.keys(names).join(', ')}`, permissions);
  demand(account === undefined || isAccountId(account), '.account', 'an id of 1 to 64 characters', account);
  demand(zone === undefined || zones.includes(zone), '.zone', 'one of the zones of the mock', zone);
  demand(zone === undefined || account === undefined, '', 'an account or a zone', entry);
  for (const name of Object.keys(entry)) {
    const isMember = ['token', 'permissions', 'account', 'zone'].includes(name);
    demand(isMember, '', 'token, permissions, and account or zone', entry);
  }
}

/** Returns the accounts that a mock serves. */
export function servedAccounts(account: string, tokens: readonly (string | ApiToken)[] | undefined): readonly string[] {
  return [
    ...new Set([account, ...(tokens ?? []).flatMap((entry) => (typeof entry === 'object' && entry.account) || [])]),
  ];
}
