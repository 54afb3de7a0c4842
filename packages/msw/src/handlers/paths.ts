import type { Dialect } from '@packhouse/hosting/dialects';

/**
 * Which URLs an area owns (REPO-029), as expressions for MSW, which compares them with a URL without its query. They
 * capture nothing: MSW decodes what is captured, and a client may send what cannot be decoded.
 */
export interface AreaPaths {
  readonly rest: RegExp;
  readonly tagging: RegExp;
  readonly errors: RegExp;
}

/** The areas of an origin but for Git, whose remotes may be elsewhere. */
export function areaPaths(origin: string, { basePath }: Pick<Dialect, 'basePath'>): AreaPaths {
  const base = literal(`${origin}${basePath}`);
  const tags = String.raw`\/(?:(?:accounts|zones)\/[^/]*\/tags(?:\/|$)|zones\/)`;
  return {
    rest: new RegExp(`^${base}(?!${tags})(?:/|$)`),
    tagging: new RegExp(`^${base}${tags}`),
    errors: new RegExp(String.raw`^${literal(origin)}\/cdn-cgi\/`),
  };
}

/** What the paths of an account follow. */
export function accountUrlOf(origin: string, { basePath }: Pick<Dialect, 'basePath'>, account: string): string {
  return `${origin}${basePath}/accounts/${account}`;
}

/** All URLs that the remotes of a template have, and those that only begin like one (GIT-004). */
export function remotePaths(template: string): RegExp {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(\/.*)$/.exec(template) ?? [];
  const prefix = path.slice(0, path.indexOf('{'));
  const host = literal(origin).replace(/\\\{account_id\\\}/, '[A-Za-z0-9_-]+');
  return new RegExp(`^${host}${literal(prefix.slice(0, prefix.lastIndexOf('/') + 1))}`, 'i');
}

/** Every URL of an origin. */
export function wholeOrigin(origin: string): RegExp {
  return new RegExp(`^${literal(origin)}(?:/|$)`);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
