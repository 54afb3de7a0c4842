import { SettingsError } from '@packhouse/base';
import { createGitEngine, type GitEngine } from '@packhouse/git';
import { portableCodec } from '@packhouse/git/codec-portable';
import type { DueWork } from '@packhouse/hosting';
import type { Hono } from 'hono';
import type { AreaStorage } from './areas.ts';
import { checkedGrants, checkOptions } from './check-options.ts';
import { createFaces, type FaceOptions, type Faces } from './faces.ts';
import { mountable } from './mount.ts';
import type { Maintained } from './upkeep/maintenance.ts';
import { startUpkeep, type Upkeep } from './upkeep/upkeep.ts';

/** Everything that a service keeps, such as `memoryStorage()` or `nodeStorage({ dataDir })`. */
export interface ServiceStorage extends AreaStorage, Partial<DueWork> {
  /** Closes files and databases. */
  readonly close?: () => void;
}

/** Everything but `storage` and `authorize` has a default. */
export interface PackhouseOptions extends Omit<FaceOptions, 'engine' | 'unheard'> {
  readonly storage: ServiceStorage;
  /** Default: one with a codec in JavaScript, for any runtime. On Node, Deno and Bun `nodeCodec()` is faster. */
  readonly engine?: GitEngine;
  /** Receives what maintenance did to a repository. Default: no call. */
  readonly maintained?: ((maintained: Maintained) => void) | undefined;
}

/** A service, and the work that it does beside requests. */
export interface Packhouse extends Faces {
  /** For `app.route(path, ...)` of a Hono app; `path` is that of the setting `public_url`. */
  readonly app: Hono<{ Bindings: object }>;
  /**
   * Finishes or undoes what stopped half-way, then begins the work beside requests: maintenance, erasure, events. Call it
   * once, in the one process that holds the storage.
   *
   * @param accounts Default: those of the setting `accounts`; with `any` they have to be given.
   */
  start(accounts?: readonly string[]): Promise<void>;
  /** Stops that work, waits for what goes on after replies, and closes the storage. Idempotent. */
  close(): Promise<void>;
}

/**
 * Puts a service together, on any runtime: repositories over REST and Git, tags where the storage has them, error pages.
 *
 * @throws {SettingsError} for an option that is misspelt or of another kind, and if a setting or a resource type breaks a
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
  const faces = createFaces({
    ...options,
    engine,
    authorize: async (token) => checkedGrants(await authorize(token)),
    background(work) {
      background.add(work);
      void work.finally(() => background.delete(work));
      options.background?.(work);
    },
    unheard: ({ head, repo }) => upkeep?.missed.add(head, repo.state),
  });
  const { fetch, hosting, settings } = faces;
  let closing: Promise<void> | undefined;
  return {
    ...faces,
    app: mountable<object>(fetch, () => settings.public_url),
    async start(accounts = settings.accounts === 'any' ? undefined : settings.accounts) {
      if (accounts === undefined) throw new SettingsError('accounts', 'is "any", so start() needs a list of accounts');
      upkeep ??= await startUpkeep({ hosting, engine, storage, accounts, report: hosting.report, maintained });
    },
    close() {
      closing ??= (async () => {
        hosting.stop();
        await upkeep?.stop();
        while (background.size > 0) await Promise.all(background);
        storage.close?.();
      })();
      return closing;
    },
  };
}
