import { CliError } from '../output/cli-error.ts';
import type { ApiTarget } from './client.ts';

/** What a path begins with: the repos or the tags of the account, or the tags of a zone. */
export type ApiBase = 'repos' | 'tags' | { readonly zone: string };

export interface ApiAddress {
  /** Default: `repos`. */
  readonly base?: ApiBase;
  /** Segments behind the base; encoded here. */
  readonly path: readonly string[];
  /** Parameters that stand in the address as they are, for what encoding would change: `tag=env=prod,staging`. */
  readonly writtenQuery?: string;
  /** Of several values each is a parameter; encoded here. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** @throws {CliError} kind `usage`, for a segment that no URL can have. */
export function addressOf(
  { origin, account, dialect }: ApiTarget,
  { base = 'repos', path, writtenQuery = '', query = {} }: ApiAddress,
): URL {
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
  const url = new URL(`${dialect.basePath}/${segments.map(encodeURIComponent).join('/')}`, origin);
  url.search = [writtenQuery, parameters.toString()].filter((part) => part !== '').join('&');
  return url;
}
