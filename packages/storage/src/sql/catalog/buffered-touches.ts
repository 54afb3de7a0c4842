import type { Catalog, Touch } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import { SqlPacks } from '../repo-state/packs.ts';
import { SqlRepos } from './repos.ts';

/** Milliseconds until the catalogs have the newest pushes. */
const wait = 1_000;

/** Maximum number of repositories that wait. With one more, `#add` writes all of them. */
const waitingMax = 1_000;

/** The last push of a repository, not yet written. */
interface Waiting {
  readonly push: Touch;
  /** Values in the catalog, which stay while this waits. */
  readonly stored: Pick<Touch, 'bytes' | 'version'>;
}

/**
 * Collects the last pushes of repositories (`Catalog.touch`) and writes those of a second together, since each alone
 * rewrites four pages. The repository's state has the same durably, in the same database, so {@link recover} restores
 * what a crash lost before anyone reads the catalog.
 */
export class BufferedTouches {
  readonly #driver: SqlDriver;
  /** By account, then by repository. */
  readonly #waiting = new Map<string, Map<string, Waiting>>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Why the last write failed. The next touch throws it, so that it is reported. */
  #failure: { readonly error: unknown } | undefined;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  /** Wraps the catalog of an account. Its other methods see all touches, since they write them first. */
  wrap(account: string, catalog: Catalog): Catalog {
    return new Proxy(catalog, {
      get: (target, name) => {
        if (name === 'touch') {
          return async (id: string, push: Touch) => {
            this.#add(account, id, push);
            this.#throwFailure();
          };
        }
        if (name === 'storedBytes') {
          return async () => {
            // Both are of one moment: while the sum becomes durable, what waits may be written.
            const stored = target.storedBytes();
            const difference = this.#difference(account);
            return (await stored) + difference;
          };
        }
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          if (this.#waiting.has(account)) this.flush();
          return member.apply(target, given);
        };
      },
    });
  }

  /** Restores the pushes that waited at a crash (GIT-159): the newest, as many as can have waited. */
  recover(): void {
    const missed = this.#driver.all<{ account: string; id: string; at: number; version: number }>(
      `SELECT r.account, r.id, r.pushed_at AS at, r.version FROM repos AS r
       CROSS JOIN catalog_repos AS c ON c.account = r.account AND c.id = r.id
       WHERE r.erased = 0 AND r.pushed_at IS NOT NULL AND r.version > c.version
       ORDER BY r.pushed_at DESC LIMIT ${waitingMax}`,
    );
    for (const { account, id, at, version } of missed) {
      this.#add(account, id, { pushedAt: at, bytes: new SqlPacks(this.#driver, id).storedBytes(), version });
    }
  }

  /** Writes what waits. If that fails, it still waits, and the next call tries again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#size === 0) return;
    try {
      this.#driver.transaction(() => {
        for (const [account, repos] of this.#waiting) {
          const table = new SqlRepos(this.#driver, account);
          for (const [id, { push }] of repos) table.touch(id, push);
        }
      }, 'lazy');
      this.#waiting.clear();
      this.#size = 0;
      this.#failure = undefined;
    } catch (error) {
      // A reader must not fail because the disk is full.
      this.#failure = { error };
      this.#plan();
    }
  }

  /** Writes what waits, for the last time. */
  close(): void {
    this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #add(account: string, id: string, push: Touch): void {
    const repos = this.#waiting.get(account) ?? new Map<string, Waiting>();
    const before = repos.get(id);
    const stored = before?.stored ?? new SqlRepos(this.#driver, account).stored(id);
    if (stored === undefined) return;
    const newest = before !== undefined && before.push.version >= push.version ? before.push : push;
    const pushedAt = Math.max(before?.push.pushedAt ?? -1, push.pushedAt ?? -1);
    repos.set(id, { push: { ...newest, pushedAt }, stored });
    this.#waiting.set(account, repos);
    if (before === undefined) this.#size += 1;
    if (this.#size <= waitingMax) return this.#plan();
    this.flush();
    if (this.#size <= waitingMax) return;
    // The caller repeats it, as its touch fails.
    repos.delete(id);
    this.#size -= 1;
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  #plan(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, wait).unref();
  }

  /** Returns how many bytes more the account will have stored when all is written. */
  #difference(account: string): number {
    let difference = 0;
    for (const { push, stored } of this.#waiting.get(account)?.values() ?? []) {
      if (push.version > stored.version) difference += push.bytes - stored.bytes;
    }
    return difference;
  }
}
