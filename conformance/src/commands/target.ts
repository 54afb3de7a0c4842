import { CliError, type Invocation, type Io } from '@packhouse/command';
import type { Target } from '../core/target.ts';

/** The target as command line and environment describe it. The dialect may be left open. */
export type WantedTarget = Omit<Target, 'dialect'> & { readonly dialect?: Target['dialect'] };

/** Tokens come from the environment only: a command line is visible in process lists and in shell histories. */
const variables = {
  api: 'CONFORMANCE_API_TOKEN',
  read: 'CONFORMANCE_READ_TOKEN',
  otherAccount: 'CONFORMANCE_OTHER_ACCOUNT',
  otherApi: 'CONFORMANCE_OTHER_API_TOKEN',
  bindingSecret: 'CONFORMANCE_BINDING_SECRET',
} as const;

/**
 * Reads the target from the command line and the environment.
 *
 * @throws {CliError} kind `usage`.
 */
export function wantedTarget(invocation: Invocation, io: Io): WantedTarget {
  const zone = zoneOf(invocation.text('zone'));
  const dialect = invocation.text('dialect') as Target['dialect'] | undefined;
  const url = invocation.optionalArgument('URL');
  return {
    ...(url === undefined ? zoneAlone(zone) : service(url, invocation, io)),
    publicService: invocation.flag('public-service'),
    ...(dialect === undefined ? {} : { dialect }),
    ...(zone === undefined ? {} : { zone }),
  };
}

/** Returns a target that is only a zone. It needs no token of a service. */
function zoneAlone(zone: string | undefined): WantedTarget {
  if (zone !== undefined) return { name: zone, origin: zone, account: '', apiToken: '', zoneAlone: true };
  throw new CliError(
    'usage',
    'URL is missing.',
    'Write the origin of the REST API, or --zone HOST to ask a host for platform errors alone.',
  );
}

function service(url: string, invocation: Invocation, io: Io): WantedTarget {
  const origin = originOf(url);
  const apiToken = tokenIn(io, variables.api);
  if (apiToken === undefined) {
    throw new CliError(
      'usage',
      'There is no API token.',
      `Set ${variables.api} to one that may edit the account; no option takes it, since others can read command lines.`,
    );
  }
  const readToken = tokenIn(io, variables.read);
  const other = otherOf(io);
  const zoneId = invocation.text('zone-id');
  const importUrl = invocation.text('import-url');
  const binding = bindingOf(invocation.text('binding-url'), io);
  return {
    name: origin,
    origin,
    account: idOf(invocation.text('account') ?? '', '--account'),
    apiToken,
    ...(readToken === undefined ? {} : { readToken }),
    ...(other === undefined ? {} : { other }),
    ...(zoneId === undefined ? {} : { zoneId: idOf(zoneId, '--zone-id') }),
    ...(importUrl === undefined ? {} : { importUrl: httpsUrl(importUrl) }),
    ...(binding === undefined ? {} : { binding }),
  };
}

/** Returns an https URL without a user name: a service would refuse it, and a report would show it. */
function httpsUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return text;
  throw new CliError('usage', '--import-url is no URL of a public repository.', 'Write one that begins with https://.');
}

/** Returns the address of the probe, with its secret. */
function bindingOf(text: string | undefined, io: Io): Target['binding'] {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CliError('usage', '--binding-url is no URL.', 'Write one such as https://probe.example.com/.');
  }
  const secret = tokenIn(io, variables.bindingSecret);
  if (secret !== undefined) return { url: url.href, secret };
  throw new CliError(
    'usage',
    `${variables.bindingSecret} is missing.`,
    'Set it to the secret that the probe was given; no option takes it.',
  );
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CliError(
      'usage',
      'URL is not the URL of a service.',
      'Write an origin, such as http://127.0.0.1:8787 or https://api.example.com, without a user name.',
    );
  }
  return onlyOrigin(url, text);
}

function onlyOrigin(url: URL, text: string): string {
  if (url.pathname === '/' && url.search === '' && url.hash === '') return url.origin;
  throw new CliError('usage', `"${text}" has more than an origin.`, `Leave the path out: ${url.origin}.`);
}

/** Returns the origin of a zone. A bare host name means `https`. */
function zoneOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const whole = text.includes('://') ? text : `https://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    return onlyOrigin(url, text);
  }
  throw new CliError(
    'usage',
    '--zone is no host name.',
    'Write one, such as www.example.com, or an origin: http://127.0.0.1:8787.',
  );
}

function otherOf(io: Io): Target['other'] {
  const account = io.env[variables.otherAccount] || undefined;
  const apiToken = tokenIn(io, variables.otherApi);
  if (account === undefined && apiToken === undefined) return undefined;
  if (account === undefined || apiToken === undefined) {
    throw new CliError(
      'usage',
      `${account === undefined ? variables.otherAccount : variables.otherApi} is missing.`,
      `Set both ${variables.otherAccount} and ${variables.otherApi}, or neither.`,
    );
  }
  return { account: idOf(account, variables.otherAccount), apiToken };
}

function idOf(text: string, where: string): string {
  // REPO-038.
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new CliError('usage', `${where} cannot be "${text}".`, 'It is 1 to 64 letters, digits, "_" or "-".');
}

function tokenIn(io: Io, variable: string): string | undefined {
  const token = io.env[variable] || undefined;
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError('usage', `${variable} has characters that no token has.`, 'Check it for spaces and line ends.');
}
