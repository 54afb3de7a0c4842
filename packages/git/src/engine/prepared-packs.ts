import { LruCache } from '@packhouse/base';
import type { PackId, PackStore } from '../ports/pack-store.ts';

/** Part of the limit that the packs of one repository may take. */
const repositoryShare = 1 / 4;
/**
 * Milliseconds (12 hours) that a prepared pack is used. It is in no manifest, so the sweep of leftovers would remove it
 * after 22 hours (GIT-153).
 */
const lifetime = 43_200_000;
/** Milliseconds (10 minutes) in which no pack is made after the disk was full. */
const pauseWhenFull = 600_000;
/** Number of sums of tags that are remembered. */
const sumsMax = 4096;

/** A stored pack that answers one kind of request. */
export interface PreparedPack {
  readonly id: PackId;
  readonly packs: PackStore;
  readonly size: number;
  readonly objects: number;
}

export interface PreparedPacksOptions {
  /** Maximum bytes of all prepared packs. Default 0: none is prepared. */
  readonly max?: number | undefined;
  /** Bytes of the smallest one. Default 256 KiB. */
  readonly least?: number;
  /** Returns milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: () => number;
}

interface Entry extends PreparedPack {
  readonly repository: string;
  readonly madeAt: number;
  users: number;
  isDropped: boolean;
}

/** A prepared pack that stays stored until it is released. */
export interface PreparedLease {
  readonly pack: PreparedPack;
  /** Idempotent. */
  release(): void;
}

/**
 * The packs that were made for clones, and are stored to be sent again (GIT-187). They live in the stores of their
 * repositories, so they go with these. Keys are made of everything that decides the content, so none is ever stale.
 */
export class PreparedPacks {
  /** Maximum number of bytes of all of them; 0: none is prepared. */
  readonly limit: number;
  /** Bytes of the smallest pack that is prepared. A smaller one is made faster than it is stored. */
  readonly least: number;
  /** The hash of the visible tags, by repository and version. */
  readonly tagSums: LruCache<string, string> = new LruCache(sumsMax);
  /** Ordered by last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  #making: { readonly repository: string; isUnwanted: boolean; readonly done: Promise<void> } | undefined;
  readonly #closing = new AbortController();
  /** Bytes of removed packs that are still being sent. */
  #held = 0;
  #pausedUntil = -Infinity;

  constructor({ max = 0, least = 256 * 1024, now = () => performance.now() }: PreparedPacksOptions = {}) {
    this.limit = max;
    this.least = least;
    this.#now = now;
  }

  /** Aborted when no pack is made any more. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Returns the number of bytes that a pack may have, if the repository has room for `left` bytes. */
  room(left: number): number {
    return Math.min(this.limit * repositoryShare, this.limit - this.#held, left);
  }

  /** Holds a pack, if there is one. `left` as for {@link PreparedPacks.room}; packs beyond it are removed. */
  take(key: string, repository: string, left: number): PreparedLease | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() - entry.madeAt > lifetime) {
      this.#drop(key, entry);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#fit(repository, left);
    if (entry.isDropped) return undefined;
    entry.users++;
    let isHeld = true;
    return {
      pack: entry,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        entry.users--;
        if (!entry.isDropped || entry.users > 0) return;
        this.#held -= entry.size;
        remove(entry);
      },
    };
  }

  /**
   * Runs `make`, which may keep a pack of this key and repository, unless there is one, or another one is being made.
   * `make` must not reject.
   */
  async make(key: string, repository: string, make: () => Promise<void>): Promise<void> {
    if (this.signal.aborted || this.#now() < this.#pausedUntil || this.#making !== undefined || this.#entries.has(key))
      return;
    this.#making = { repository, isUnwanted: false, done: make() };
    await this.#making.done;
    this.#making = undefined;
  }

  /** Keeps a stored pack, and removes what was not used for the longest time. */
  keep(key: string, repository: string, pack: PreparedPack, left: number): void {
    this.#entries.set(key, { ...pack, repository, madeAt: this.#now(), users: 0, isDropped: false });
    if (this.#making?.isUnwanted === true && this.#making.repository === repository) this.forget(key);
    else this.#fit(repository, left);
  }

  /** Removes the packs of a repository, also one that is being made: they have objects that the repository has lost. */
  forgetRepository(repository: string): void {
    if (this.#making?.repository === repository) this.#making.isUnwanted = true;
    for (const [key, entry] of this.#entries) if (entry.repository === repository) this.#drop(key, entry);
  }

  /** Removes a pack that cannot be read. */
  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(key, entry);
  }

  /** Removes all packs, and makes no more for a while: the disk is full. */
  makeWay(): void {
    this.#pausedUntil = this.#now() + pauseWhenFull;
    for (const [key, entry] of this.#entries) this.#drop(key, entry);
  }

  /** Resolves when no pack is being made. */
  async idle(): Promise<void> {
    await this.#making?.done;
  }

  /** Removes all packs, and makes no more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#making?.done;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.allSettled(entries.map(({ packs, id }) => packs.remove(id)));
  }

  #fit(repository: string, left: number): void {
    this.#fitInto(this.room(left), (entry) => entry.repository === repository);
    this.#fitInto(this.limit - this.#held, () => true);
  }

  #fitInto(limit: number, counts: (entry: Entry) => boolean): void {
    let bytes = 0;
    for (const entry of this.#entries.values()) if (counts(entry)) bytes += entry.size;
    for (const [key, entry] of this.#entries) {
      if (bytes <= limit) return;
      if (!counts(entry)) continue;
      bytes -= entry.size;
      this.#drop(key, entry);
    }
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    entry.isDropped = true;
    if (entry.users > 0) this.#held += entry.size;
    else remove(entry);
  }
}

/** The sweep of leftovers removes what cannot be removed now. */
function remove({ packs, id }: Entry): void {
  void packs.remove(id).catch(() => {});
}
