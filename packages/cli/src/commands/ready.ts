import { isLoopback } from '@packhouse/hosting/dialects';
import type { Serving } from '@packhouse/server';
import type { Io } from '@packhouse/command';
import { withoutSecrets } from '../shared-storage/without-secrets.ts';

/** How far a server is reachable by others, and the warnings for its operator. */
export interface Openness {
  /** The listening address for people; undefined if it equals the URL. */
  readonly listens: string | undefined;
  readonly warnings: readonly string[];
}

/** Describes how far a server is reachable. Gives no warnings for a server that only this machine reaches. */
export function openness(options: { readonly host: string; readonly secure: boolean; readonly url: string }): Openness {
  const { host, secure, url } = options;
  if (host !== '0.0.0.0' && host !== '::') return { listens: undefined, warnings: [] };
  const warnings: string[] = [];
  if (!secure) {
    warnings.push(
      'tokens and repositories cross the network as plain HTTP: give --tls-cert and --tls-key, or let only a proxy that serves HTTPS reach this address: listen on 127.0.0.1, or publish no port of the container',
    );
  }
  if (isLoopback(new URL(url).hostname)) {
    warnings.push(
      `replies name ${url}, which only this machine reaches: give others' address with --public-url https://HOST`,
    );
  }
  return { listens: `on every address of this machine (${host})`, warnings };
}

/** Returns the one line that programs wait for. */
export function readyLine(server: Serving): string {
  const { url, account, keptToken } = server;
  return `${JSON.stringify({ event: 'listening', url, account, pid: process.pid, tokenFile: keptToken?.file ?? null })}\n`;
}

/** Details of the server that {@link readyText} shows. */
interface ReadyOptions {
  readonly dialect?: string | undefined;
  /** URL of the database that several servers share. */
  readonly database?: string | undefined;
  /** The place of its packs. */
  readonly packs?: string | undefined;
}

/** Returns the next steps for people, ready to paste. Only a terminal shows a new token. */
export function readyText(
  { url, account, data, keptToken }: Serving,
  io: Io,
  { dialect = 'neutral', listens, warnings, database, packs }: Openness & ReadyOptions,
): string {
  const token =
    keptToken === undefined
      ? 'the one in PACKHOUSE_API_TOKEN'
      : `in ${keptToken.file}${keptToken.created && io.outIsTerminal ? `\n            new, shown only now: ${keptToken.token}` : ''}`;
  const environment = [
    `PACKHOUSE_URL=${url}`,
    ...(keptToken === undefined ? [] : [`PACKHOUSE_API_TOKEN="$(cat '${keptToken.file}')"`]),
  ];
  const options = [
    ...(account === 'local' ? [] : [` --account ${account}`]),
    ...(dialect === 'neutral' ? [] : [` --dialect ${dialect}`]),
  ].join('');
  const places =
    database === undefined
      ? `  data      ${data}`
      : `  database  ${withoutSecrets(database)}\n  packs     ${packs}\n  cache     ${data}`;
  return `Packhouse serves ${url}
${listens === undefined ? '' : `  listens   ${listens}\n`}  account   ${account}
${places}
  API token ${token}
  REST API  ${url}/docs
${warnings.map((warning) => `  warning   ${warning}\n`).join('')}
In another terminal${keptToken === undefined ? ', where PACKHOUSE_API_TOKEN is the same' : ''}:

  export ${environment.join(' ')}
  ${io.program} repo create hello${options}
  ${io.program} repo list${options}
`;
}
