import { build } from 'esbuild';
import { Log, LogLevel, Miniflare, type MiniflareOptions, type SharedOptions, type WorkerOptions } from 'miniflare';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as tls from 'node:tls';
import { appOptions, serviceName, type LocalApp } from './apps.ts';
import { compatibilityDate, compatibilityFlags } from './deployment.ts';
import { WorkerdNote } from './orphan.ts';
import { readRuntimeLog, type LocalLogLine } from './runtime-log.ts';

export type { LocalApp } from './apps.ts';
export type { LocalLogLine } from './runtime-log.ts';

export interface LocalWorkerdOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Serves HTTPS with this PEM pair. Default: serves HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Folder of all data. The caller must hold its lock. */
  readonly folder: string;
  /** The variable `CONFIG` of the Worker. */
  readonly config: object;
  /** The secret `API_TOKENS`: entries in the form of `api_tokens` in the configuration. */
  readonly apiTokens: readonly object[];
  /** Receives each log line of the Worker, and the messages of the runtime. */
  readonly log: (line: LocalLogLine) => void;
  /** The entry to bundle and run. Default: the entry of this package. */
  readonly entry?: string;
  /** PEM certificates that imports trust in addition to those of this process. Default: none. */
  readonly authorities?: readonly string[];
  /** Further Workers, with service bindings to the first. Default: none. */
  readonly apps?: readonly LocalApp[];
  /** Opens the inspector of workerd on this port; 0 selects a free port. Default: no inspector. */
  readonly inspectorPort?: number;
}

/** A running workerd with the Worker. Its objects and buckets are in a folder. */
export interface LocalWorkerd {
  /** URL that it listens on. */
  readonly url: URL;
  /** Returns the URL that an app listens on. */
  appUrl(name: string): Promise<URL>;
  /** Returns the number of running requests. */
  running(): number;
  /** Resolves when no request is running. */
  idle(): Promise<void>;
  /** Ends workerd. Running requests are lost, but answered ones are not. Idempotent. */
  close(): Promise<void>;
  /** Returns the URL of the inspector. Only with the option `inspectorPort`. */
  inspectorUrl(): Promise<URL>;
}

/**
 * Ends an orphaned workerd of a killed process, which still uses the folder and its port. The caller must hold the lock
 * of the folder. {@link startLocalWorkerd} does this too.
 */
export async function endLeftWorkerd(folder: string): Promise<void> {
  await new WorkerdNote(folder).endLeft();
}

/**
 * Bundles the Worker and runs it in workerd. Starts workerd again on the same data if it dies.
 *
 * @throws the errors of esbuild and miniflare.
 * @example
 * import { startLocalWorkerd } from '@packhouse/workers/local';
 *
 * const workerd = await startLocalWorkerd({
 *   host: '127.0.0.1',
 *   port: 8787,
 *   folder: './packhouse-data',
 *   config: { public_url: 'http://127.0.0.1:8787' },
 *   apiTokens: [{ token: 'secret-of-the-operator', account: 'local', permissions: ['edit'] }],
 *   log: () => undefined,
 * });
 * console.log(workerd.url);
 */
export async function startLocalWorkerd(options: LocalWorkerdOptions): Promise<LocalWorkerd> {
  const note = new WorkerdNote(options.folder);
  await note.endLeft();
  const script = await bundle(options.entry ?? fileURLToPath(import.meta.resolve('@packhouse/workers')));
  const requests = new RequestsInHand();
  const apps = await Promise.all((options.apps ?? []).map(async (app) => appOptions(app, await bundle(app.entry))));
  const chosen = miniflareOptions(options, script, apps, {
    started: () => {
      note.noteChild();
      requests.reset();
    },
    log: (line) => {
      if (requests.count(line)) options.log(line);
    },
  });
  const miniflare = withoutSignalListeners(() => new Miniflare(chosen));
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= miniflare.dispose().then(() => note.remove());
    return closed;
  };
  try {
    const entry = await miniflare.ready;
    const url = options.tls === undefined ? await miniflare.unsafeGetDirectURL() : entry;
    return {
      url,
      appUrl: (name) => miniflare.unsafeGetDirectURL(name),
      running: () => requests.running,
      idle: () => requests.idle(),
      close,
      inspectorUrl: () => miniflare.getInspectorURL(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Bundles an entry into one module, as for a deployment. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}

/**
 * Removes miniflare's signal listeners, which end the process. The caller handles signals, and may wait for requests.
 */
function withoutSignalListeners<T>(make: () => T): T {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const made = make();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (before.get(signal)?.includes(listener) !== true) process.removeListener(signal, listener);
    }
  }
  return made;
}

interface RuntimeEvents {
  readonly started: () => void;
  readonly log: (line: LocalLogLine) => void;
}

function miniflareOptions(
  options: LocalWorkerdOptions,
  script: string,
  apps: readonly WorkerOptions[],
  events: RuntimeEvents,
): MiniflareOptions {
  const kept = join(options.folder, 'workerd');
  const { outbound, inside } = networks(options.authorities ?? []);
  const { sockets, shared } = listening(options);
  const service: WorkerOptions = {
    name: serviceName,
    modules: [{ type: 'ESModule', path: 'packhouse.mjs', contents: script }],
    compatibilityDate,
    compatibilityFlags: [...compatibilityFlags],
    durableObjects: {
      CATALOGS: { className: 'CatalogObject', useSQLite: true },
      REPOS: { className: 'RepoObject', useSQLite: true },
    },
    outboundService: outbound,
    serviceBindings: { INSIDE: inside },
    r2Buckets: ['PACKS', 'PACKS_EU', 'PACKS_US'],
    bindings: {
      CONFIG: options.config as Record<string, never>,
      API_TOKENS: JSON.stringify(options.apiTokens),
      LOG_BEGIN: true,
    },
    ...sockets,
  };
  return {
    workers: [service, ...apps],
    ...shared,
    ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
    durableObjectsPersist: join(kept, 'objects'),
    r2Persist: join(kept, 'buckets'),
    defaultPersistRoot: kept,
    cache: false,
    // Otherwise miniflare fetches an example of `request.cf` from the network.
    cf: false,
    telemetry: { enabled: false },
    logRequests: false,
    log: new Log(LogLevel.NONE),
    handleRuntimeStdio(output: Readable, errors: Readable) {
      events.started();
      readRuntimeLog(output, errors, events.log);
    },
  };
}

/**
 * Makes the Worker listen directly. The proxy of miniflare would restrict paths below `/cdn-cgi/` to local names, and
 * compress replies. Only that proxy supports TLS, so HTTPS uses it.
 */
function listening({ host, port, tls }: LocalWorkerdOptions): {
  readonly sockets: Partial<WorkerOptions>;
  readonly shared: Partial<SharedOptions>;
} {
  return tls === undefined
    ? { sockets: { unsafeDirectSockets: [{ host, port }] }, shared: { host: '127.0.0.1', port: 0 } }
    : { sockets: {}, shared: { host, port, https: true, httpsCert: tls.cert, httpsKey: tls.key } };
}

/** Counts running requests from the log of the Worker, since they do not pass through this process. */
class RequestsInHand {
  running = 0;
  #waiting: (() => void)[] = [];

  /** Counts a line. Returns false for a line that is only for this count. */
  count(line: LocalLogLine): boolean {
    if (line['event'] === 'begin') {
      this.running += 1;
      return false;
    }
    if (['request', 'binding', 'configuration'].includes(String(line['event']))) this.#end(1);
    return true;
  }

  /** Resets the count after a restart of workerd, since no earlier request still runs. */
  reset(): void {
    this.#end(this.running);
  }

  async idle(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #end(count: number): void {
    this.running = Math.max(0, this.running - count);
    if (this.running > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/**
 * Writes a script that runs workerd and ignores SIGINT. Returns its path, for `MINIFLARE_WORKERD_PATH`. `folder` must
 * exist while workerd runs. Ctrl-C goes to all processes of a terminal, so workerd would end in the middle of requests.
 * The process that started it ends it after the requests.
 */
export function workerdWithoutInterrupts(folder: string): string {
  const file = join(folder, 'workerd.sh');
  const program = `'${workerdPath().replaceAll("'", "'\\''")}'`;
  // A program inherits the ignored signals of the shell that executes it (POSIX, exec).
  writeFileSync(file, `#!/bin/sh\ntrap '' INT\nexec ${program} "$@"\n`, { mode: 0o700 });
  return file;
}

/** Returns the path of the workerd that miniflare starts by default. */
function workerdPath(): string {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  return (ofMiniflare('workerd') as { readonly default: string }).default;
}

/** A network of workerd, in the form of miniflare's options. */
interface Network {
  readonly network: {
    readonly allow: string[];
    readonly tlsOptions: { readonly trustBrowserCas: boolean; readonly trustedCertificates: string[] };
  };
}

/**
 * Makes the networks of `fetch` and of the binding `INSIDE`. `fetch` reaches only public addresses, as on the platform.
 * workerd checks the address as it connects, so a second lookup of a name cannot lead inside (REPO-129). `INSIDE` also
 * reaches private addresses, for hosts in `import_allow`.
 *
 * @param authorities PEM certificates to trust in addition to the usual ones.
 */
function networks(authorities: readonly string[]): { readonly outbound: Network; readonly inside: Network } {
  // The certificates of `NODE_EXTRA_CA_CERTS`, as in miniflare's own network. Node 22.13 cannot list them.
  const extra = 'getCACertificates' in tls ? tls.getCACertificates('extra') : [];
  const tlsOptions = { trustBrowserCas: true, trustedCertificates: [...extra, ...authorities] };
  const to = (...allow: string[]): Network => ({ network: { allow, tlsOptions } });
  return { outbound: to('public'), inside: to('public', 'private') };
}
