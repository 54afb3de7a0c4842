import { randomBytes } from 'node:crypto';
import { apiPermissions, type ApiTokenEntry } from '@packhouse/router';

/** Two accounts with a zone each and the API tokens that open them, as a configuration file names them. */
export interface Tenants {
  readonly accounts: readonly ['local', 'other'];
  /** Whose each zone is. */
  readonly zones: { readonly 'zone-local': 'local'; readonly 'zone-other': 'other' };
  /** May do everything in `local` alone. */
  readonly apiToken: string;
  /** May read in `local` alone. */
  readonly readToken: string;
  /** May do everything in `other` alone. */
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
