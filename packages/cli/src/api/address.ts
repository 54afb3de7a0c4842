import { CliError } from '../output/cli-error.ts';
import type { ApiTarget } from './client.ts';

/** The base path of a request: the account's repos, the account's tags, or a zone's tags. */
export type ApiBase = 'repos' | 'tags' | { readonly zone: string };

export interface ApiAddress {
  /** Default: `repos`. */
  readonly base?: ApiBase;
  /** Path segments after the base, not yet encoded. */
  readonly path: readonly string[];
  /** Query text that is sent verbatim, where encoding would change its meaning: `tag=env=prod,staging`. */
  readonly writtenQuery?: string;
  /** Query parameters, not yet encoded. An array becomes one parameter per value. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Builds the URL of a request.
 *
 * @throws {CliError} kind `usage` if a segment cannot occur in a URL.
 */
export function addressOf(target: ApiTarget, { base = 'repos', path, writtenQuery = '', query = {} }: ApiAddress): URL {
  const { account, dialect } = target;
  const before =
    typeof base === 'object'
      ? ['zones', base.zone, 'tags']
      : ['accounts', account, base === 'tags' ? 'tags' : dialect.serviceSegment];
  const segments = [...before, ...path];
  const dots = segments.find((segment) => segment === '.' || segment === '..');
  if (dots !== undefined) {
    throw new CliError(
      'usage',
      `"${dots}" cannot be asked for: it has another meaning in a URL.`,
      'Write another name.',
    );
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, one);
  }
  const url = new URL(`${target.base}${dialect.basePath}/${segments.map(encodeURIComponent).join('/')}`);
  url.search = [writtenQuery, parameters.toString()].filter((part) => part !== '').join('&');
  return url;
}
