import { LruCache } from '@packhouse/base';
import type { PackStore } from '../ports/pack-store.ts';
import {
  preparedLifetime,
  type PreparedPack,
  type PreparedRecords,
  type TakenPack,
} from '../ports/prepared-records.ts';

/** Part of the limit that the packs of one repository may take. */
const repositoryShare = 1 / 4;
/** Milliseconds (10 minutes) in which no pack is made after the disk was full. */
const pauseWhenFull = 600_000;
/** Number of sums of tags that are remembered. */
const sumsMax = 4096;

/** A repository whose packs are prepared. */
interface PreparingRepository {
  readonly id?: string;
  readonly packs: PackStore;
  readonly prepared?: PreparedRecords;
}

export interface PreparedPacksOptions {
  /** Maximum bytes of all prepared packs. Default 0: none is prepared. */
  readonly max?: number | undefined;
  /** Bytes of the smallest one. Default 256 KiB. */
  readonly least?: number;
  /** Bytes of the largest one. Default: any number. */
  readonly most?: number;
  /** Milliseconds after which a runtime has ended the making of a pack, perhaps without a last word. Default: never. */
  readonly makingMax?: number;
  /** Runs the making of a pack, which goes on after the reply. It never rejects. Default: just calls it. */
  readonly background?: (prepare: () => Promise<void>) => void;
  /** Returns milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: () => number;
}

interface Entry extends PreparedPack {
  readonly packs: PackStore;
  readonly repository: string;
  readonly madeAt: number;
  users: number;
  isDropped: boolean;
}

/** A pack that is being made. */
interface Making {
  readonly repository: string;
  readonly since: number;
  readonly closing: AbortController;
  isUnwanted: boolean;
  readonly done: Promise<void>;
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
  /** Bytes of the largest one. */
  readonly most: number;
  readonly background: (prepare: () => Promise<void>) => void;
  /** The hash of the visible tags, by repository and version. */
  readonly tagSums: LruCache<string, string> = new LruCache(sumsMax);
  /** Ordered by last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #makingMax: number;
  readonly #now: () => number;
  #making: Making | undefined;
  #isClosed = false;
  /** Bytes of removed packs that are still being sent. */
  #held = 0;
  #pausedUntil = -Infinity;

  constructor(options: PreparedPacksOptions = {}) {
    this.limit = options.max ?? 0;
    this.least = options.least ?? 256 * 1024;
    this.most = options.most ?? Infinity;
    this.background = options.background ?? ((prepare) => void prepare());
    this.#makingMax = options.makingMax ?? Infinity;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Returns the records of a repository: its own, or those of this process. */
  recordsOf({ id = '', packs, prepared }: PreparingRepository): PreparedRecords {
    return (
      prepared ?? {
        take: async (key, room) => this.take(key, id, room),
        begin: () => packs.reserve(),
        finish: async (key, pack, room) => this.keep(key, id, { ...pack, packs }, room),
        drop: async (key) => (key === undefined ? this.forgetRepository(id) : this.forget(key)),
      }
    );
  }

  /** Returns the number of bytes that a pack may have, if the repository has room for `left` bytes. */
  room(left: number): number {
    return Math.min(this.limit * repositoryShare, this.limit - this.#held, left);
  }

  /** Holds a pack, if there is one. `left` as for {@link PreparedPacks.room}; packs beyond it are removed. */
  take(key: string, repository: string, left: number): TakenPack | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#now() - entry.madeAt > preparedLifetime) {
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
      id: entry.id,
      objects: entry.objects,
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
   * `make` must not reject, and gets a signal that ends it.
   */
  async make(key: string, repository: string, make: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#isClosed || this.#now() < this.#pausedUntil || this.#entries.has(key)) return;
    if (this.#making !== undefined && this.#now() - this.#making.since < this.#makingMax) return;
    // On Workers, no request can look at the signal of another one.
    const closing = new AbortController();
    const making = { repository, since: this.#now(), closing, isUnwanted: false, done: make(closing.signal) };
    this.#making = making;
    await making.done;
    if (this.#making === making) this.#making = undefined;
  }

  /** Keeps a stored pack, and removes what was not used for the longest time. */
  keep(key: string, repository: string, pack: Pick<Entry, 'id' | 'packs' | 'size' | 'objects'>, left: number): void {
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

  /** Bytes of all packs that are stored now. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { size }) => sum + size, this.#held);
  }

  /** Removes all packs, and makes no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#making?.closing.abort();
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
