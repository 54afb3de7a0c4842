import type { Dialect } from '../dialect/dialect.ts';
import type { Settings } from '../settings/settings.ts';
import { compileRemote } from '../settings/remote-template.ts';

/** The repo and path that a Git request names. The names are unchecked. */
export interface RemoteMatch {
  readonly account: string;
  readonly namespace: string;
  readonly repo: string;
  /** The rest of the path after the remote, still percent-encoded: empty, or a path such as `/info/refs`. */
  readonly path: string;
}

/** Makes the `remote` of a repo, and finds the repo of a request: one is the inverse of the other. */
export interface Remotes {
  /** The template filled with the stored spelling of the names (REPO-027). */
  fill(names: { readonly account: string; readonly namespace: string; readonly repo: string }): string;
  /**
   * The repo that a request URL names; `prefix` if its path only starts like a remote before the first name (GIT-004);
   * `undefined` if it has nothing to do with Git.
   */
  match(url: URL): RemoteMatch | 'prefix' | undefined;
}

/** @throws {SettingsError} if the template breaks a rule of REPO-026. */
export function createRemotes(
  settings: Pick<Settings, 'remote_template' | 'accounts'>,
  { suffixOptional }: Pick<Dialect, 'suffixOptional'>,
): Remotes {
  const { accounts } = settings;
  const template = compileRemote(settings.remote_template, {
    accountNeeded: accounts === 'any' || accounts.length > 1,
    suffixOptional,
  });
  const onlyAccount = accounts === 'any' ? undefined : accounts[0];

  /** Hosts are in lower case, so an account in a host is found ignoring case. */
  const spelt = (account: string): string =>
    accounts === 'any' || accounts.includes(account)
      ? account
      : (accounts.find((one) => one.toLowerCase() === account.toLowerCase()) ?? account);

  return {
    fill: ({ account, namespace, repo }) =>
      template.text.replace(/\{(account_id|namespace|repo)\}/g, (_, name: string) =>
        name === 'account_id' ? account : name === 'namespace' ? namespace : repo,
      ),

    match(url) {
      const host = template.host?.exec(url.host);
      if (host === null || !url.pathname.startsWith(template.prefix)) return undefined;
      const values: Record<string, string | undefined> = { ...host?.groups };
      const raw = url.pathname.slice(1).split('/');
      for (const [i, expression] of template.segments.entries()) {
        const groups = expression.exec(decoded(raw[i] ?? '') ?? '');
        if (groups === null) return 'prefix';
        Object.assign(values, groups.groups);
      }
      const { account_id: account, namespace, repo } = values;
      if (namespace === undefined || repo === undefined) return 'prefix';
      const rest = raw.slice(template.segments.length);
      return {
        account: host ? spelt(account ?? '') : (account ?? onlyAccount ?? ''),
        namespace,
        repo,
        path: rest.length === 0 ? '' : `/${rest.join('/')}`,
      };
    },
  };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
