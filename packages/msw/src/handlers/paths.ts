import type { Dialect } from '@packhouse/hosting/dialects';

/**
 * The URLs of each area (REPO-029), as regular expressions for MSW, which matches them against a URL without its query.
 * They have no capturing groups: MSW decodes captured text, and a client may send text that cannot be decoded.
 */
export interface AreaPaths {
  readonly rest: RegExp;
  readonly tagging: RegExp;
  readonly errors: RegExp;
}

/** Returns the areas of an origin, except Git, whose remotes may have another origin. */
export function areaPaths(origin: string, { basePath }: Pick<Dialect, 'basePath'>): AreaPaths {
  const base = literal(`${origin}${basePath}`);
  const tags = String.raw`\/(?:(?:accounts|zones)\/[^/]*\/tags(?:\/|$)|zones\/)`;
  return {
    rest: new RegExp(`^${base}(?!${tags})(?:/|$)`),
    tagging: new RegExp(`^${base}${tags}`),
    errors: new RegExp(String.raw`^${literal(origin)}\/cdn-cgi\/`),
  };
}

/** Returns the base URL of an account. */
export function accountUrlOf(origin: string, { basePath }: Pick<Dialect, 'basePath'>, account: string): string {
  return `${origin}${basePath}/accounts/${account}`;
}

/** Matches the URLs of all remotes of a template, and URLs that only begin like one (GIT-004). */
export function remotePaths(template: string): RegExp {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(\/.*)$/.exec(template) ?? [];
  const prefix = path.slice(0, path.indexOf('{'));
  const host = literal(origin).replace(/\\\{account_id\\\}/, '[A-Za-z0-9_-]+');
  return new RegExp(`^${host}${literal(prefix.slice(0, prefix.lastIndexOf('/') + 1))}`, 'i');
}

/** Matches every URL of an origin. */
export function wholeOrigin(origin: string): RegExp {
  return new RegExp(`^${literal(origin)}(?:/|$)`);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
