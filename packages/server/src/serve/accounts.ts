import type { ApiTokenEntry, ServerConfig } from '@packhouse/hosting';
import { StartError } from '../start-error.ts';
import type { ServeOptions } from './options.ts';

/**
 * Accounts of the configuration; with `any`, those that its tokens name. At least one.
 *
 * @throws {StartError} kind `configuration` if a token is for another.
 */
export function servedAccounts(
  { account = 'local' }: Pick<ServeOptions, 'account'>,
  config: ServerConfig,
): readonly string[] {
  const { accounts } = config.settings;
  const named = (config.api_tokens ?? []).map((entry) => entry.account);
  if (accounts === 'any') return [...new Set([account, ...named])];
  const served = accounts ?? [account];
  const stranger = named.findIndex((one) => !served.includes(one));
  if (stranger !== -1) {
    throw new StartError(
      'configuration',
      `api_tokens[${stranger}].account: "${named[stranger]}" is none of the accounts served (${served.join(', ')}).`,
      'Add it to "accounts" in the configuration file.',
    );
  }
  return served;
}

/** Entries of the one token that reads and edits every account. */
export function ownToken(token: string, accounts: readonly string[]): readonly ApiTokenEntry[] {
  return accounts.map((account) => ({ token, account, permissions: ['read', 'edit'] }));
}
