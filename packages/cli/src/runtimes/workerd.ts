import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cloudflare, neutral, type Dialect } from '@packhouse/hosting';
import { resolveServiceSettings, type ServiceSettings } from '@packhouse/router';
import { SettingsError } from '@packhouse/base';
import {
  addressError,
  demandForm,
  keptApiToken,
  openDataFolder,
  ownToken,
  reachable,
  servedAccounts,
  settingsStartError,
  StartError,
  stopServing,
  withTls,
  type ServeOptions,
  type Serving,
} from '@packhouse/server';
import type * as Local from '@packhouse/workers/local';

/** The same range as in the manifest of `@packhouse/workers`; a test compares them. */
const miniflareRange = '^4.20260708.0';

/**
 * Milliseconds for the last bytes of replies: for the Worker, a request ends when workerd has its reply, and workerd
 * sends it afterwards.
 */
const lastBytes = 500;

/**
 * Serves a data folder with the Worker in workerd, as a deployment to Cloudflare Workers would, on this machine.
 *
 * @throws {StartError}
 */
export async function serveWorkerd(options: ServeOptions): Promise<Serving> {
  const { host = '127.0.0.1', config = { settings: {} }, log = () => undefined } = options;
  const { startLocalWorkerd, endLeftWorkerd, workerdWithoutInterrupts } = await loadLocalRuntime();
  const accounts = servedAccounts(options, config);
  const tls = options.tls === undefined ? undefined : withTls(options.tls, (pair) => pair);
  const folder = openDataFolder(resolve(options.data));
  try {
    demandForm(folder.path, 'workerd');
    const keptToken = options.apiToken === undefined ? keptApiToken(folder.path) : undefined;
    await endLeftWorkerd(folder.path);
    // Miniflare reads this variable and has no option for it.
    if (process.platform !== 'win32') process.env['MINIFLARE_WORKERD_PATH'] ??= workerdWithoutInterrupts(folder.path);
    const port = await freePort(host, options.port ?? 8787);
    const listening = `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${port}`;
    const url = options.publicUrl ?? config.settings.public_url ?? listening;
    const dialect = options.dialect ?? (config.dialect === 'cloudflare' ? cloudflare : neutral);
    const settings = { ...config.settings, accounts: config.settings.accounts ?? accounts, public_url: url };
    check(settings, dialect);
    const workerd = await started(startLocalWorkerd, {
      host,
      port,
      ...(tls === undefined ? {} : { tls }),
      folder: folder.path,
      config: { ...settings, dialect: dialect.name },
      apiTokens: [...ownToken(options.apiToken ?? keptToken?.token ?? '', accounts), ...(config.api_tokens ?? [])],
      log,
    });
    let closed = false;
    const stop = stopServing(
      // workerd cannot stop listening, so it also serves requests that arrive during the grace period.
      {
        drain: () => undefined,
        idle: async () => {
          // After `close`, the process and its work have ended.
          if (closed) return;
          await workerd.idle();
          await wait(lastBytes);
        },
        running: workerd.running,
        async cut() {
          await workerd.close();
          closed = true;
        },
      },
      async () => folder.release(),
    );
    return {
      url: url.replace(/\/$/, ''),
      account: accounts[0] as string,
      data: folder.path,
      keptToken,
      running: workerd.running,
      close: (grace = (config.shutdown_grace ?? 30) * 1000): Promise<number> => stop(grace),
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

async function loadLocalRuntime(): Promise<typeof Local> {
  try {
    return await import('@packhouse/workers/local');
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    // Miniflare itself throws the second code.
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new StartError(
      'configuration',
      'The runtime workerd needs the packages miniflare and esbuild, which are not installed.',
      import.meta.url.endsWith('.ts')
        ? 'Install them with the other runtimes of this checkout: npx -y pnpm@12 tools'
        : `Install them beside @packhouse/cli: npm install miniflare@${miniflareRange} esbuild`,
      { cause: error },
    );
  }
}

/** Checks settings and dialect now: the Worker would report a fault only with the first request, in the log. */
function check(settings: Partial<ServiceSettings>, dialect: Dialect): void {
  try {
    resolveServiceSettings(settings, dialect);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw settingsStartError(error, settings);
  }
}

/** Returns a free port for workerd. It must be known before the start, because replies contain it. */
async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(addressError(error, { host, port })));
    server.listen({ host, port }, resolve);
  });
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

async function started(
  start: typeof Local.startLocalWorkerd,
  options: Local.LocalWorkerdOptions,
): Promise<Local.LocalWorkerd> {
  try {
    return await start(options);
  } catch (error) {
    throw new StartError(
      'configuration',
      `workerd does not start: ${error instanceof Error ? error.message : 'unknown reason'}`,
      'The log above may say more.',
      { cause: error },
    );
  }
}
