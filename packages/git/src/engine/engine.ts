import { CacheBudget, LruCache } from '@packhouse/base';
import { graphMemory, type PackGraph } from '../graph/pack-graph.ts';
import { BufferPool } from '../pack/buffer-pool.ts';
import { defaultPageSize, PageCache } from '../pack/read/page-cache.ts';
import type { ReceivingThreads } from '../pack/receive/receiving-threads.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import type { Codec } from '../ports/codec.ts';
import type { PackId, PackStore } from '../ports/pack-store.ts';
import type { PreparedRecords } from '../ports/prepared-records.ts';
import type { RepoState } from '../ports/repo-state.ts';
import { RefLists } from '../refs/ref-lists.ts';
import type { MemorySetting } from '../work/memory-error.ts';
import { Scheduler, type SchedulerOptions } from '../work/scheduler.ts';
import { Admission } from '../memory/admission.ts';
import { PackLeases } from './leases.ts';
import { PreparedPacks, type PreparedPacksOptions } from './prepared-packs.ts';
import { SetCache } from './set-cache.ts';

/** How stored packs are read for a reply. */
export interface ReadPlan {
  /** A window ends before it would exceed this size in bytes; a larger entry has a separate one. */
  readonly windowMax: number;
  /** Windows that are read at the same time. */
  readonly inFlight: number;
}

/** A repository for the engine: its ports. */
export interface GitRepository {
  /** Key of its refs in the engine's cache. Default: no cache, so each request reads them again. */
  readonly id?: string;
  readonly state: RepoState;
  readonly packs: PackStore;
  /** Records of its prepared packs that other processes read too. Default: those of the engine. */
  readonly prepared?: PreparedRecords;
}

/** State that the requests of one process or isolate share. It contains no promises, see {@link LruCache}. */
export interface GitEngine {
  readonly codec: Codec;
  readonly graphs: LruCache<PackId, PackGraph>;
  readonly indexes: LruCache<PackId, PackIndex>;
  /** A set too large for it is made again for each request. */
  readonly sets: SetCache;
  readonly refLists: RefLists;
  /** Nodes that visible refs reach, one byte each, by everything they depend on (`remembered-colours.ts`). */
  readonly visible: LruCache<string, Uint8Array>;
  /** Objects that clones get, by everything that decides them (`known-plans.ts`). */
  readonly plans: LruCache<string, Uint32Array>;
  /**
   * Bytes that fetches sent and may send again: entries of objects that are stored as deltas, made whole ({@link rebuiltKey}),
   * and small stretches of packs ({@link windowKey}).
   */
  readonly sent: LruCache<string, Uint8Array>;
  /** Stored packs that answer a whole request. */
  readonly prepared: PreparedPacks;
  readonly pages: PageCache;
  /** Plan of reading stored packs for replies. */
  readonly reads: ReadPlan;
  readonly buffers: BufferPool;
  /** Threads that help to receive large packs. */
  readonly threads: ReceivingThreads | undefined;
  /** Memory of requests, in addition to these caches. */
  readonly admission: Admission;
  /** Shares the processor between requests. */
  readonly scheduler: Scheduler;
  /** Packs that running requests may read. */
  readonly leases: PackLeases;
  /** Maximum bytes of graphs, indexes, sets, ref lists and visible nodes together. */
  readonly cacheLimit: number;
}

/** Sizes are in bytes. The defaults suit a process with several hundred megabytes. */
export interface GitEngineOptions extends SchedulerOptions {
  readonly codec: Codec;
  /** Threads that help to receive large packs. Default: none. On Node, Deno and Bun `nodeReceivingThreads()`. */
  readonly threads?: ReceivingThreads;
  /** Cache of graph files, sets, `.idx` files and ref lists together. Default 72 MiB. */
  readonly cache?: number;
  /** Cache of entries and small stretches of packs that fetches sent. Default: a quarter of `cache`, in addition to it. */
  readonly sentCache?: number;
  /** Packs that are stored in the stores of repositories to answer clones again (GIT-187). Default: none. */
  readonly prepared?: PreparedPacksOptions;
  /** Cache of pages of stored packs. Default 24 MiB. */
  readonly pageCache?: number;
  /**
   * Plan of reading stored packs for replies. One reply needs `windowMax` bytes `inFlight` times. Default 1 MiB, twice.
   */
  readonly reads?: ReadPlan;
  /**
   * Maximum memory of all requests together, including the pages while one of them uses these (LIM-059). A request that
   * does not fit waits up to 30 seconds, and then fails with `not enough memory`. Default: no limit.
   */
  readonly memory?: number | undefined;
  /** The part of it reserved for small requests, see `AdmissionOptions`. Default: no reserve. */
  readonly memoryReserve?: number | undefined;
  /** Name of the setting for messages. Default `memory_max`. */
  readonly memorySetting?: MemorySetting;
  /** Resolves after the given milliseconds, for requests that wait for memory. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const mebibyte = 1024 * 1024;
/** Buffers that a large push leaves to the next request. */
const idleBuffers = 32 * mebibyte;

/** Bytes of a cached entry besides its own. */
const entryOverhead = 200;

/** Returns the key of an entry in {@link GitEngine.sent}. Packs never change, so it is valid for good. */
export function rebuiltKey(pack: PackId, ordinal: number): string {
  return `${pack} ${ordinal}`;
}

/** Returns the key of a stretch of a pack there. */
export function windowKey(pack: PackId, start: number, length: number): string {
  return `${pack} ${start}+${length}`;
}

export function createGitEngine(options: GitEngineOptions): GitEngine {
  const budget = new CacheBudget(options.cache ?? 72 * mebibyte);
  const pageBudget = options.pageCache ?? 24 * mebibyte;
  const buffers = new BufferPool(idleBuffers);
  const pages = new PageCache(pageBudget, defaultPageSize, buffers);
  return {
    codec: options.codec,
    threads: options.threads,
    graphs: new LruCache(budget, graphMemory),
    indexes: new LruCache(budget, (index) => index.memory),
    sets: new SetCache(budget),
    refLists: new RefLists(budget),
    visible: new LruCache(budget, (colours) => colours.length + 256),
    plans: new LruCache(budget, (objects) => objects.byteLength + entryOverhead),
    sent: new LruCache(options.sentCache ?? budget.limit / 4, (entry) => entry.length + entryOverhead),
    prepared: new PreparedPacks(options.prepared),
    pages,
    buffers,
    reads: options.reads ?? { windowMax: mebibyte, inFlight: 2 },
    admission: new Admission({
      limit: options.memory ?? Infinity,
      reserve: options.memoryReserve,
      setting: options.memorySetting,
      wait: options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))),
      shared: { bytes: pageBudget, drop: () => pages.clear() },
      idle: buffers,
    }),
    scheduler: new Scheduler(options),
    leases: new PackLeases(),
    cacheLimit: budget.limit,
  };
}
