import type { RemoteTemplate } from './remote-template.ts';
import type { Settings } from './settings.ts';
import { SettingsError } from '@packhouse/base';

/** Paths that never belong to Git, in addition to the base path (REPO-029). */
const reserved = ['/cdn-cgi', '/openapi.json', '/docs', '/healthz', '/readyz', '/metrics'];

/**
 * Checks that requests for remotes of this template can reach them.
 *
 * @throws {SettingsError} if its path belongs to another part of the service (REPO-029), or if two accounts can have
 *   the same host.
 */
export function requireReachable(
  { text, host, prefix }: RemoteTemplate,
  accounts: Settings['accounts'],
  { basePath, mountPath }: { readonly basePath: string; readonly mountPath: string },
): void {
  const taken = [basePath, ...reserved].map((path) => mountPath + path).find((path) => prefix.startsWith(`${path}/`));
  if (taken !== undefined) {
    throw new SettingsError(
      'remote_template',
      `must not lie under ${taken}, which the service answers itself (REPO-026, REPO-029): ${text}`,
    );
  }
  // Hosts come in lower case.
  const inHost = host?.source.includes('<account_id>') === true && accounts !== 'any';
  if (inHost && new Set(accounts.map((account) => account.toLowerCase())).size < accounts.length) {
    throw new SettingsError(
      'accounts',
      'must not differ in case alone, because remote_template has {account_id} in the host (REPO-026)',
    );
  }
}
