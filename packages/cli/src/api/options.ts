import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOptions } from '@packhouse/client';
import { cloudflare, isLoopback, neutral, type Dialect } from '@packhouse/hosting/dialects';
import { apiTokenFile } from '@packhouse/server/before-start';
import { CliError, systemErrorCode, type Invocation, type Io, type OptionSpec } from '@packhouse/command';

export const defaultDataFolder = '.packhouse';

export const dialectOption: OptionSpec = {
  name: 'dialect',
  value: 'NAME',
  choices: [neutral.name, cloudflare.name],
  description: 'The set of wire constants of the service',
};

export const jsonOption: OptionSpec = { name: 'json', description: 'Print the result as one line of JSON' };

export const accountOption: OptionSpec = { name: 'account', value: 'ID', description: 'The account', default: 'local' };

/** The options of every command that calls a service. */
export const apiOptions: readonly OptionSpec[] = [
  {
    name: 'url',
    value: 'URL',
    env: 'PACKHOUSE_URL',
    description: 'Base URL of the service',
    default: 'http://127.0.0.1:8787',
  },
  {
    name: 'api-token',
    value: 'TOKEN',
    env: 'PACKHOUSE_API_TOKEN',
    description: `API token; for a service on this machine, the one in ./${defaultDataFolder} stands in`,
  },
  accountOption,
  { ...dialectOption, default: neutral.name },
  jsonOption,
];

export const namespaceOption: OptionSpec = {
  name: 'namespace',
  value: 'NAME',
  description: 'The namespace',
  default: 'default',
};

/** Returns the address and the credential of the service that the options name. */
export function serviceOf(
  invocation: Invocation,
  io: Io,
): Required<Pick<ClientOptions, 'url' | 'account' | 'basePath' | 'service'>> & { readonly token: string } {
  const url = baseOf(invocation.text('url') ?? '');
  const { basePath, serviceSegment } = dialectNamed(invocation.text('dialect')) ?? neutral;
  return {
    url,
    token: tokenOf(invocation.text('api-token'), url, io),
    account: invocation.text('account') ?? '',
    basePath,
    service: serviceSegment,
  };
}

export function dialectNamed(name: string | undefined): Dialect | undefined {
  return [neutral, cloudflare].find((dialect) => dialect.name === name);
}

/** Returns the base URL without a slash at its end (REPO-216). */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CliError(
      'usage',
      `"${text}" is not a URL of a service.`,
      'Write --url http://127.0.0.1:8787 or https://git.example.com.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new CliError(
      'usage',
      'The URL must not hold a user name or password.',
      'Pass the credential with --api-token or PACKHOUSE_API_TOKEN.',
    );
  }
  const base = url.origin + url.pathname.replace(/\/$/, '');
  const added = [neutral, cloudflare].find(({ basePath }) => base.endsWith(basePath))?.basePath;
  if (added !== undefined || url.search !== '' || url.hash !== '') {
    const wanted = base.slice(0, base.length - (added ?? '').length);
    throw new CliError('usage', `"${text}" is more than the base URL of a service.`, `Write --url ${wanted}.`);
  }
  return base;
}

/** Returns the given token, else the one in the data folder. The stored token is only ever sent to this machine. */
function tokenOf(given: string | undefined, base: string, io: Io): string {
  const file = join(io.cwd, defaultDataFolder, apiTokenFile);
  const isHere = isLoopback(new URL(base).hostname, { subdomains: false });
  const kept = given === undefined && isHere ? keptToken(file) : undefined;
  const token = given ?? kept?.token;
  if (token === undefined) {
    const variable = io.env['PACKHOUSE_API_TOKEN'] === undefined ? 'not set' : 'empty';
    const reason = kept?.problem ?? `not read, since ${base} is not this machine`;
    throw new CliError(
      'credential',
      'There is no API token.',
      `Looked at --api-token (not given), then PACKHOUSE_API_TOKEN (${variable}), then the file ${file} (${reason}). ` +
        'Set one of the first two; a server without a database keeps its token in the file api-token of its data folder.',
    );
  }
  if (/^(?:rht_v1_|art_v2_x_)/.test(token)) {
    throw new CliError(
      'credential',
      'This is a repo token, which is for Git alone.',
      'Pass an API token with --api-token or PACKHOUSE_API_TOKEN.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CliError(
      'credential',
      'The API token has characters that no token has.',
      'Check --api-token or PACKHOUSE_API_TOKEN for spaces and line ends.',
    );
  }
  return token;
}

/** Reads the token that a server stores in its data folder. Without a token, `problem` says why. */
function keptToken(file: string): { readonly token?: string; readonly problem?: string } {
  try {
    const token = readFileSync(file, 'utf8').trim();
    return token === '' ? { problem: 'empty' } : { token };
  } catch (error) {
    const code = systemErrorCode(error);
    return { problem: code === 'ENOENT' ? 'does not exist' : `cannot be read, ${code ?? 'unknown reason'}` };
  }
}
