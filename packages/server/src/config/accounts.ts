import { apiPermissions, type ApiTokenEntry, type ServerConfig } from '@packhouse/router';
import { StartError } from '../start-error.ts';

/**
 * Returns the accounts that the configuration serves, at least one. With `any`, returns those that its tokens and zones
 * name.
 *
 * @throws {StartError} kind `configuration` if a token names an account or a zone that is not served.
 */
export function servedAccounts(
  { account = 'local' }: { readonly account?: string },
  config: ServerConfig,
): readonly string[] {
  const { accounts, zones = {} } = config.settings;
  const entries = config.api_tokens ?? [];
  demandKnown(entries, 'zone', Object.keys(zones), '"zones"');
  if (accounts === 'any') {
    const named = entries.flatMap((entry) => entry.account ?? []);
    return [...new Set([account, ...named, ...Object.values(zones)])];
  }
  const served = accounts ?? [account];
  demandKnown(entries, 'account', served, 'the accounts served');
  return served;
}

function demandKnown(
  entries: readonly ApiTokenEntry[],
  member: 'account' | 'zone',
  known: readonly string[],
  name: string,
): void {
  const at = entries.findIndex((entry) => entry[member] !== undefined && !known.includes(entry[member]));
  if (at === -1) return;
  throw new StartError(
    'configuration',
    `api_tokens[${at}].${member}: "${entries[at]?.[member]}" is none of ${name} (${known.join(', ') || 'there are none'}).`,
    `Add it to "${member}s" in the configuration file.`,
  );
}

/** Returns the entries of the one token that may do everything in each of these accounts. */
export function ownToken(token: string, accounts: readonly string[]): readonly ApiTokenEntry[] {
  return accounts.map((account) => ({ token, account, permissions: apiPermissions }));
}
