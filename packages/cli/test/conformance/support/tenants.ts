import { randomBytes } from 'node:crypto';
import { apiPermissions, type ApiTokenEntry } from '@packhouse/router';

/** Two accounts with a zone each and their API tokens, as in a configuration file. */
export interface Tenants {
  readonly accounts: readonly ['local', 'other'];
  /** The account of each zone. */
  readonly zones: { readonly 'zone-local': 'local'; readonly 'zone-other': 'other' };
  /** A token that may do everything in `local` only. */
  readonly apiToken: string;
  /** A token that may only read, in `local` only. */
  readonly readToken: string;
  /** A token that may do everything in `other` only. */
  readonly otherApiToken: string;
  readonly entries: readonly ApiTokenEntry[];
}

export function makeTenants(): Tenants {
  const token = (): string => randomBytes(24).toString('hex');
  const [apiToken, readToken, otherApiToken] = [token(), token(), token()];
  return {
    accounts: ['local', 'other'],
    zones: { 'zone-local': 'local', 'zone-other': 'other' },
    apiToken,
    readToken,
    otherApiToken,
    entries: [
      { token: apiToken, account: 'local', permissions: apiPermissions },
      { token: readToken, account: 'local', permissions: ['read', 'tag.read'] },
      { token: otherApiToken, account: 'other', permissions: apiPermissions },
    ],
  };
}
