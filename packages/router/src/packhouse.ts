import { SettingsError, type Tracing } from '@packhouse/base';
import { createGitEngine, type GitEngine } from '@packhouse/git';
import { portableCodec } from '@packhouse/git/codec-portable';
import type { DueWork, WorkLeases } from '@packhouse/hosting';
import type { Hono } from 'hono';
import type { AreaStorage } from './areas.ts';
import { checkedGrants, checkOptions } from './check-options.ts';
import { createFaces, type FaceOptions, type Faces } from './faces.ts';
import { mountable } from './mount.ts';
import { tracesOf } from './tracing/traces.ts';
import type { Maintained } from './upkeep/maintenance.ts';
import { readiness } from './upkeep/readiness.ts';
import { startUpkeep, type Upkeep } from './upkeep/upkeep.ts';

/** The storage of a service, such as `memoryStorage()` or `nodeStorage({ dataDir })`. */
export interface ServiceStorage extends AreaStorage, Partial<DueWork> {
  /** Leases of background work, if several servers use the storage. Default: this process alone uses it. */
  readonly leases?: WorkLeases;
  /** Throws or rejects if database or packs cannot be reached, for `/readyz` (REPO-343). Default: they always can. */
  readonly demandPresent?: () => void | Promise<void>;
  /** Closes files and databases. */
  readonly close?: () => void | Promise<void>;
}

/** Options of {@link packhouse}. All except `storage` and `authorize` have defaults. */
export interface PackhouseOptions extends Omit<FaceOptions, 'engine' | 'unheard' | 'traces'> {
  readonly storage: ServiceStorage;
  /**
   * The Git engine. Default: one with the portable codec in JavaScript. On Node, Deno and Bun `nodeCodec()` is faster.
   */
  readonly engine?: GitEngine;
  /** Receives a record of each maintenance of a repository. Default: no call. */
  readonly maintained?: ((maintained: Maintained) => void) | undefined;
  /** Receives a span of each request, and of its commit and pack (REPO-345). Default: none. */
  readonly tracing?: Tracing | undefined;
}

/** A service and its background work. */
export interface Packhouse extends Faces {
  /** The service as a Hono app, for `app.route(path, ...)`; `path` is the path of the setting `public_url`. */
  readonly app: Hono<{ Bindings: object }>;
  /**
   * Finishes or undoes operations that the last process left half done, then starts the background work: maintenance,
   * erasure, events. Call it in each process that serves the storage, before the first request. Without `leases` that is
   * one process, and what a request has begun would look half done. Requests that come meanwhile wait for it. A second call does nothing.
   *
   * @param accounts The accounts to work on, the same as long as the service runs. Default: the setting `accounts`;
   * required if that is `any`.
   * @throws {SettingsError} if the setting `accounts` is `any` and `accounts` is missing.
   * @throws {Error} after the first request, and after `close`.
   */
  start(accounts?: readonly string[]): Promise<void>;
  /** Stops the background work, waits for work that replies have left running, and closes the storage. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a service for any runtime: repositories over REST and Git, tags if the storage has a store for them, and
 * error pages.
 *
 * @throws {SettingsError} if an option is misspelt or of the wrong type, or if a setting or a resource type breaks a
 *   rule.
 * @example
 * import { packhouse } from '@packhouse/router';
 * import { nodeStorage } from '@packhouse/storage/node';
 * import { Hono } from 'hono';
 *
 * const secret = process.env['API_TOKEN'];
 * const gitHost = packhouse({
 *   storage: nodeStorage({ dataDir: './data' }),
 *   authorize: async (token) => (token === secret ? [{ account: 'local', permission: 'Repos Edit' }] : undefined),
 *   settings: { public_url: 'https://example.com/git-host' },
 * });
 * await gitHost.start();
 * export default new Hono().route('/git-host', gitHost.app);
 */
export function packhouse(options: PackhouseOptions): Packhouse {
  checkOptions(options);
  const { storage, authorize, engine = createGitEngine({ codec: portableCodec() }), maintained } = options;
  const background = new Set<Promise<void>>();
  let upkeep: Upkeep | undefined;
  let starting: Promise<Upkeep> | undefined;
  let hasServed = false;
  const faces = createFaces({
    ...options,
    engine,
    traces: options.tracing && tracesOf(options.tracing),
    ready: readiness(options.ready ?? (() => true), storage.demandPresent?.bind(storage), (error) =>
      faces.hosting.report(error),
    ),
    authorize: async (token) => checkedGrants(await authorize(token)),
    background(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
      options.background?.(work);
    },
    unheard: (repo, state) => upkeep?.missed.add(repo, state),
  });
  const { hosting, settings } = faces;
  const fetch: Faces['fetch'] = async (request) => {
    hasServed = true;
    await starting?.catch(() => undefined);
    return faces.fetch(request);
  };
  let closing: Promise<void> | undefined;
  return {
    ...faces,
    fetch,
    app: mountable<object>(fetch, () => settings.public_url),
    async start(accounts = settings.accounts === 'any' ? undefined : settings.accounts) {
      if (accounts === undefined) throw new SettingsError('accounts', 'is "any", so start() needs a list of accounts');
      if (starting === undefined && hasServed) throw new Error('Await start() before the service gets requests');
      if (closing !== undefined) throw new Error('The service is closed');
      starting ??= startUpkeep({ hosting, engine, storage, accounts, report: hosting.report, maintained });
      upkeep = await starting;
    },
    close() {
      closing ??= (async () => {
        hosting.stop();
        await (await starting?.catch(() => undefined))?.stop();
        while (background.size > 0) await Promise.all(background);
        await storage.close?.();
      })();
      return closing;
    },
  };
}
