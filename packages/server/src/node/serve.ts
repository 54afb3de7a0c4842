import { resolve } from 'node:path';
import {
  cloudflare,
  listedTokens,
  neutral,
  randomIds,
  settingRules,
  type ApiTokenEntry,
  type Dialect,
  type ServerConfig,
} from '@packhouse/hosting';
import { freshRequestId, type LogRecord } from '@packhouse/router';
import { keptApiToken, type KeptApiToken } from '../data-folder/api-token.ts';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { StartError } from '../start-error.ts';
import { listen, type Tls } from './listen.ts';
import { createListener } from './listener.ts';
import { openService, type OpenedService } from './open-service.ts';
import { requestLogEntry, type LogEntry } from './request-log.ts';
import { stopServing } from './stop-serving.ts';

export interface ServeNodeOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** 0 picks a free one. Default 8787. */
  readonly port?: number;
  /** Folder of everything that is kept; made if it is missing. */
  readonly data: string;
  /** Account that is served if the configuration names none. Default `local`. */
  readonly account?: string;
  /** Default: that of the configuration, else `neutral`. */
  readonly dialect?: Dialect;
  /** Origin that clients reach the server at. Default: that of the configuration, else where it listens. */
  readonly publicUrl?: string;
  /** Serves HTTPS. */
  readonly tls?: Tls;
  readonly config?: ServerConfig;
  /** The API token for reading and editing every account served. Default: the one kept in the data folder. */
  readonly apiToken?: string;
  /** Takes one entry for each request, and for each failure. Default: nobody listens. */
  readonly log?: (entry: LogEntry) => void;
}

/** A server that serves. */
export interface ServingNode {
  /** Origin that clients reach it at. */
  readonly url: string;
  /** The first account served. */
  readonly account: string;
  /** Absolute. */
  readonly data: string;
  /** Absent if a token was passed in. */
  readonly keptToken: KeptApiToken | undefined;
  /** Requests in hand. */
  readonly running: () => number;
  /**
   * Stops accepting, lets running requests end for at most `grace` milliseconds (default: `shutdown_grace` of the
   * configuration, else 30,000), cuts the others, and closes what is kept. A further call may only shorten the wait.
   * Answers how many requests were cut.
   */
  close(grace?: number): Promise<number>;
}

/**
 * Serves a data folder over HTTP or HTTPS. Prints nothing, reads no environment and takes no signals: that is the
 * caller's part.
 *
 * @throws {StartError} with a sentence and a hint for people.
 */
export async function serveNode(options: ServeNodeOptions): Promise<ServingNode> {
  const { host = '127.0.0.1', port = 8787, config = { settings: {} }, log = () => undefined } = options;
  const dialect = options.dialect ?? (config.dialect === 'cloudflare' ? cloudflare : neutral);
  const accounts = servedAccounts(options, config);
  const folder = openDataFolder(resolve(options.data));
  const opening = Promise.withResolvers<OpenedService>();
  // Nobody may have asked for anything by the time that it fails.
  opening.promise.catch(() => undefined);
  let closing = false;
  const identity = { ids: randomIds, settings: { site: config.settings.site ?? String(settingRules.site.default) } };
  const byRequest = new Map<string, string>();

  const listener = createListener({
    // Requests wait for the moment between listening, which tells the port, and opening, which needs it.
    handler: async (request) => await (await opening.promise).handler(request),
    fallbackHost: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    complete(headers) {
      if (!headers.has(dialect.requestIdHeader)) headers.set(dialect.requestIdHeader, freshRequestId(identity));
    },
    onServed(served) {
      const entry = requestLogEntry(served, dialect.requestIdHeader, new Date());
      const account = byRequest.get(String(entry['request_id']));
      byRequest.delete(String(entry['request_id']));
      log(account === undefined ? entry : { ...entry, account });
    },
  });
  /** The router's record of a request gives the account; the line is written when the reply has ended. */
  const routerLog = (record: LogRecord): void => {
    if (record.event === 'failure') log({ time: new Date().toISOString(), level: 'error', ...record });
    else if (record.account !== null) byRequest.set(record.request_id, record.account);
  };

  const listening = await listen({ host, port, tls: options.tls }).catch((error: unknown) => {
    folder.release();
    throw error;
  });
  listening.serve(listener);
  try {
    const keptToken = options.apiToken === undefined ? keptApiToken(folder.path) : undefined;
    const url = options.publicUrl ?? config.settings.public_url ?? listening.origin;
    const service = await openService({
      folder: folder.path,
      dialect,
      settings: { ...config.settings, accounts: config.settings.accounts ?? accounts, public_url: url },
      authorizer: listedTokens(
        [...ownToken(options.apiToken ?? keptToken?.token ?? '', accounts), ...(config.api_tokens ?? [])],
        dialect,
      ),
      accounts,
      log: routerLog,
      ready: () => !closing,
    });
    opening.resolve(service);
    const stop = stopServing(listening.server, listener, async () => {
      await service.close();
      folder.release();
    });
    return {
      url: new URL(url).origin,
      account: accounts[0] as string,
      data: folder.path,
      keptToken,
      running: listener.running,
      close(grace = (config.shutdown_grace ?? 30) * 1000): Promise<number> {
        closing = true;
        return stop(grace);
      },
    };
  } catch (error) {
    opening.reject(error);
    listening.server.close();
    listening.server.closeAllConnections();
    folder.release();
    throw error;
  }
}

/** Accounts of the configuration; with `any`, those that its tokens name. */
function servedAccounts({ account = 'local' }: ServeNodeOptions, config: ServerConfig): readonly string[] {
  const { accounts } = config.settings;
  const named = (config.api_tokens ?? []).map((entry) => entry.account);
  if (accounts === 'any') return [...new Set([account, ...named])];
  const served = accounts ?? [account];
  const stranger = named.findIndex((one) => !served.includes(one));
  if (stranger !== -1) {
    throw new StartError(
      'configuration',
      `api_tokens[${stranger}].account: "${named[stranger]}" is none of the accounts served (${served.join(', ')}).`,
      'Add it to "accounts" in the configuration file.',
    );
  }
  return served;
}

function ownToken(token: string, accounts: readonly string[]): readonly ApiTokenEntry[] {
  return accounts.map((account) => ({ token, account, permissions: ['read', 'edit'] }));
}
