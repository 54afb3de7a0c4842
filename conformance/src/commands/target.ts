import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, type Invocation, type Io } from '@packhouse/command';
import type { GitServer, Target } from '../core/target.ts';
import type { WantedTarget } from '../probe/find-target.ts';
import { ask } from '../probe/found.ts';

/** Tokens come from the environment only: a command line is visible in process lists and in shell histories. */
const variables = {
  api: 'CONFORMANCE_API_TOKEN',
  read: 'CONFORMANCE_READ_TOKEN',
  otherAccount: 'CONFORMANCE_OTHER_ACCOUNT',
  otherApi: 'CONFORMANCE_OTHER_API_TOKEN',
  bindingSecret: 'CONFORMANCE_BINDING_SECRET',
  gitToken: 'CONFORMANCE_GIT_TOKEN',
  gitUsername: 'CONFORMANCE_GIT_USERNAME',
  gitPassword: 'CONFORMANCE_GIT_PASSWORD',
} as const;

/**
 * Reads the target from the command line and the environment.
 *
 * @throws {CliError} kind `usage`.
 */
export async function wantedTarget(invocation: Invocation, io: Io): Promise<WantedTarget> {
  const zone = zoneOf(invocation.text('zone'));
  const git = gitOf(invocation.text('git'), io);
  const dialect = invocation.text('dialect') as Target['dialect'] | undefined;
  const url = invocation.optionalArgument('URL');
  const readOnly = invocation.flag('read-only');
  if (url !== undefined && git !== undefined && !readOnly) {
    throw new CliError(
      'usage',
      'URL and --git cannot both be written to.',
      'Leave URL out to test the Git server, or give --read-only: cases then read this repository.',
    );
  }
  return {
    ...(url === undefined ? withoutService(zone, git) : service(url, invocation, io)),
    publicService: invocation.flag('public-service'),
    readOnly,
    settings: await settingsOf(invocation, io),
    ...(dialect === undefined ? {} : { dialect }),
    ...(zone === undefined ? {} : { zone }),
    ...(git === undefined ? {} : { git }),
  };
}

/** Returns a target that is only a zone, a Git server, or both. It needs no token of a service. */
function withoutService(zone: string | undefined, git: GitServer | undefined): WantedTarget {
  const origin = git === undefined ? zone : new URL(git.url).origin;
  if (origin === undefined) {
    throw new CliError(
      'usage',
      'URL is missing.',
      'Write the origin of the REST API, --git URL to test a Git server alone, or --zone HOST for platform errors alone.',
    );
  }
  const areas = [
    ...(zone === undefined ? [] : (['errors'] as const)),
    ...(git === undefined ? [] : (['git'] as const)),
  ];
  return { name: git?.url ?? origin, origin, account: '', apiToken: '', areas };
}

/** Returns the Git server with its credential. */
function gitOf(text: string | undefined, io: Io): GitServer | undefined {
  if (text === undefined) return undefined;
  if (urlOf(text) === undefined) {
    throw new CliError(
      'usage',
      '--git is no URL of a repository.',
      `Write one such as https://git.example.com/{name}.git, without a user name; ${variables.gitUsername} and ${variables.gitPassword} take them.`,
    );
  }
  const token = tokenIn(io, variables.gitToken);
  const password = io.env[variables.gitPassword] || undefined;
  const bare = text.replace(/\/+$/, '');
  if (token !== undefined) return { url: bare, authorization: `Bearer ${token}` };
  if (password === undefined) return { url: bare };
  const pair = `${tokenIn(io, variables.gitUsername) ?? 'git'}:${password}`;
  return { url: bare, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Returns the settings that the target is known to have: those of `--settings`, then each `--setting`. */
async function settingsOf(invocation: Invocation, io: Io): Promise<Readonly<Record<string, unknown>>> {
  const from = invocation.text('settings');
  const published = from === undefined ? {} : await publishedAt(from, io);
  return { ...published, ...Object.fromEntries(singleSettings(invocation)) };
}

/**
 * Reads the options `--setting`.
 *
 * @throws {CliError} kind `usage`.
 */
export function singleSettings(invocation: Invocation): readonly (readonly [name: string, value: unknown])[] {
  return invocation.texts('setting').map((text) => {
    const [, name, value] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new CliError(
        'usage',
        `--setting cannot be "${text}".`,
        'Write NAME=VALUE, such as deny_non_fast_forward=true.',
      );
    }
    try {
      return [name, JSON.parse(value)];
    } catch {
      return [name, value];
    }
  });
}

/** Reads the settings that a target publishes, from a file or from a URL. */
async function publishedAt(from: string, io: Io): Promise<Readonly<Record<string, unknown>>> {
  try {
    const published = /^https?:\/\//.test(from)
      ? await ask(io.fetch, 'GET', from)
      : { status: 200, text: readFileSync(resolve(io.cwd, from), 'utf8') };
    const settings: unknown = published.status === 200 ? JSON.parse(published.text) : undefined;
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) {
      return settings as Readonly<Record<string, unknown>>;
    }
  } catch {
    // The error below covers every text without a JSON object.
  }
  throw new CliError(
    'usage',
    `The settings ${from} cannot be read.`,
    'Name a file or a URL of a JSON object, such as {"deny_non_fast_forward": true}.',
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
  if (urlOf(text)?.protocol === 'https:') return text;
  throw new CliError('usage', '--import-url is no URL of a public repository.', 'Write one that begins with https://.');
}

/** Returns an http or https URL without a user name or password; undefined for other texts. */
function urlOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}

/** Returns the address of the probe, with its secret. */
function bindingOf(text: string | undefined, io: Io): Target['binding'] {
  if (text === undefined) return undefined;
  const url = urlOf(text);
  if (url === undefined) {
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
  const url = urlOf(text);
  if (url === undefined) {
    const isBare = /^[\w.-]+(?::\d+)?(?:\/.*)?$/.test(text);
    throw new CliError(
      'usage',
      isBare ? `"${text}" does not begin with http:// or https://.` : 'URL is not the URL of a service.',
      isBare
        ? `Write http://${text} or https://${text}.`
        : 'Write one such as http://127.0.0.1:8787 or https://example.com/git-host, without a user name.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new CliError('usage', `"${text}" has more than a path.`, `Write ${url.origin}${url.pathname}.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function onlyOrigin(url: URL, text: string): string {
  if (url.pathname === '/' && url.search === '' && url.hash === '') return url.origin;
  throw new CliError('usage', `"${text}" has more than an origin.`, `Leave the path out: ${url.origin}.`);
}

/** Returns the origin of a zone. A bare host name means `https`. */
function zoneOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = urlOf(text.includes('://') ? text : `https://${text}`);
  if (url !== undefined) return onlyOrigin(url, text);
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
