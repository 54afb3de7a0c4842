import { graphMemory, type PackGraph } from '../graph/pack-graph.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { PageCache } from '../pack/page-cache.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import type { Codec } from '../ports/codec.ts';
import type { PackId, PackStore } from '../ports/pack-store.ts';
import type { RepoState } from '../ports/repo-state.ts';
import type { ReadPlan } from '../upload-pack/pack-windows.ts';
import { WeightedCache } from './weighted-cache.ts';

/** A repository as the engine sees it: its two ports. */
export interface GitRepository {
  readonly state: RepoState;
  readonly packs: PackStore;
}

/** What the requests of one process or isolate share. */
export interface GitEngine {
  readonly codec: Codec;
  readonly graphs: WeightedCache<PackId, PackGraph>;
  readonly indexes: WeightedCache<PackId, PackIndex>;
  /** By the id of the newest pack. A set too large for it is made anew for each request. */
  readonly sets: WeightedCache<PackId, GraphSet>;
  readonly pages: PageCache;
  /** How stored packs are read for replies. */
  readonly reads: ReadPlan;
}

/** Bytes; defaults suit a process with some hundred megabytes. */
export interface GitEngineOptions {
  readonly codec: Codec;
  /** Loaded graph files, and as much again for the sets made of them. Default 24 MiB. */
  readonly graphCache?: number;
  /** Loaded `.idx` files. Default 24 MiB. */
  readonly indexCache?: number;
  /** Pages of stored packs. Default 24 MiB. */
  readonly pageCache?: number;
  /** How stored packs are read for replies: one reply holds `windowMax` bytes `inFlight` times. Default 1 MiB, twice. */
  readonly reads?: ReadPlan;
}

const defaultCache = 24 * 1024 * 1024;

export function createGitEngine(options: GitEngineOptions): GitEngine {
  const graphCache = options.graphCache ?? defaultCache;
  return {
    codec: options.codec,
    graphs: new WeightedCache(graphCache, graphMemory),
    indexes: new WeightedCache(options.indexCache ?? defaultCache, (index) => index.memory),
    // A set keeps its graphs alive even where the cache above has dropped them, so they count here too.
    sets: new WeightedCache(graphCache, (set) => set.memory),
    pages: new PageCache(options.pageCache ?? defaultCache),
    reads: options.reads ?? { windowMax: 1024 * 1024, inFlight: 2 },
  };
}
