import { resolve } from 'node:path';
import { cloudflare, listedTokens, neutral, randomIds, settingRules } from '@packhouse/hosting';
import { freshRequestId, type LogRecord } from '@packhouse/router';
import { keptApiToken } from '../data-folder/api-token.ts';
import { openDataFolder } from '../data-folder/data-folder.ts';
import { demandForm } from '../data-folder/form.ts';
import { openService, type OpenedService } from '../service/open-service.ts';
import { ownToken, servedAccounts } from './accounts.ts';
import type { ServeOptions, Serving } from './options.ts';
import { maintenanceLogEntry, requestLogEntry } from './request-log.ts';
import { bracketed, type OpenSockets } from './sockets.ts';
import { stopServing } from './stop-serving.ts';

/**
 * Serves a data folder through the sockets of a runtime: everything but these is the same for all.
 *
 * @throws {StartError} with a sentence and a hint for people.
 */
export async function serve(options: ServeOptions, openSockets: OpenSockets): Promise<Serving> {
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
  /** The router's record of a request gives the account; the line is written when the reply has ended. */
  const routerLog = (record: LogRecord): void => {
    if (record.event === 'failure') log({ time: new Date().toISOString(), level: 'error', ...record });
    else if (record.account !== null) byRequest.set(record.request_id, record.account);
  };

  const place = { host, port, tls: options.tls };
  const sockets = await openSockets(place, {
    // Requests wait for the moment between listening, which tells the port, and opening, which needs it.
    handler: async (request) => await (await opening.promise).handler(request),
    fallbackHost: `${bracketed(host)}:${port}`,
    complete(headers) {
      if (!headers.has(dialect.requestIdHeader)) headers.set(dialect.requestIdHeader, freshRequestId(identity));
    },
    onServed(served) {
      const entry = requestLogEntry(served, dialect.requestIdHeader, new Date());
      const account = byRequest.get(String(entry['request_id']));
      byRequest.delete(String(entry['request_id']));
      log(account === undefined ? entry : { ...entry, account });
    },
  }).catch((error: unknown) => {
    folder.release();
    throw error;
  });
  try {
    demandForm(folder.path, 'files');
    const keptToken = options.apiToken === undefined ? keptApiToken(folder.path) : undefined;
    const url = options.publicUrl ?? config.settings.public_url ?? sockets.origin;
    const service = await openService({
      folder: folder.path,
      dialect,
      settings: { ...config.settings, accounts: config.settings.accounts ?? accounts, public_url: url },
      authorizer: listedTokens(
        [...ownToken(options.apiToken ?? keptToken?.token ?? '', accounts), ...(config.api_tokens ?? [])],
        dialect,
      ),
      outbound: options.outbound,
      accounts,
      log: routerLog,
      maintained: (maintained) => log(maintenanceLogEntry(maintained, new Date())),
      ready: () => !closing,
    });
    opening.resolve(service);
    const stop = stopServing(sockets, async () => {
      await service.close();
      folder.release();
    });
    return {
      url: new URL(url).origin,
      account: accounts[0] as string,
      data: folder.path,
      keptToken,
      running: sockets.running,
      close(grace = (config.shutdown_grace ?? 30) * 1000): Promise<number> {
        closing = true;
        return stop(grace);
      },
    };
  } catch (error) {
    opening.reject(error);
    await sockets.cut();
    folder.release();
    throw error;
  }
}
