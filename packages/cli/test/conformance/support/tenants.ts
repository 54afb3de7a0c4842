import { randomBytes } from 'node:crypto';

/** Two accounts and the API tokens that open them, as a configuration file names them. */
export interface Tenants {
  readonly accounts: readonly ['local', 'other'];
  /** May edit `local` alone. */
  readonly apiToken: string;
  /** May read `local` alone. */
  readonly readToken: string;
  /** May edit `other` alone. */
  readonly otherApiToken: string;
  readonly entries: readonly {
    readonly token: string;
    readonly account: string;
    readonly permissions: readonly ('read' | 'edit')[];
  }[];
}

export function makeTenants(): Tenants {
  const token = (): string => randomBytes(24).toString('hex');
  const [apiToken, readToken, otherApiToken] = [token(), token(), token()];
  return {
    accounts: ['local', 'other'],
    apiToken,
    readToken,
    otherApiToken,
    entries: [
      { token: apiToken, account: 'local', permissions: ['read', 'edit'] },
      { token: readToken, account: 'local', permissions: ['read'] },
      { token: otherApiToken, account: 'other', permissions: ['read', 'edit'] },
    ],
  };
}
