import type { EntryColumns } from './entry-tables.ts';
import type { FamilyQueue } from './family-queue.ts';
import type { IndexOptions } from './incoming-pack.ts';

/** Threads that help the one that receives a large pack (GIT-195). */
export interface ReceivingThreads {
  /** Objects of the smallest pack that one is started for. A smaller one is resolved before a thread is ready. */
  readonly leastObjects: number;
  /** Bytes that one takes, with everything that it does. */
  readonly memory: number;
  /** Starts one. Undefined: none can be had now. */
  start(): ReceivingThread | undefined;
}

/** A thread for one pack. Errors other than those named: it has failed. */
export interface ReceivingThread {
  /**
   * Takes families of deltas from the queue of a job until none is left.
   *
   * @returns undefined if the thread was not ready within some seconds: then it did nothing, and does nothing else.
   * @throws {PackError} as the resolver does.
   */
  resolve(job: DeltaJob): Promise<readonly LeftFamily[] | undefined>;
  /** Collects what nodes introduce until none is left, once deltas are resolved. */
  collect(job: ListJob): Promise<ListShare>;
  /** Ends it, even in the middle of a job whose work was stopped. Call it once. */
  end(): Promise<void>;
}

/** A pack whose deltas are to be resolved. Tables and queue are in shared memory, the rest is copied. */
export interface DeltaJob {
  /** Path of the pack. */
  readonly file: string;
  readonly count: number;
  readonly columns: EntryColumns;
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  readonly queue: Pick<FamilyQueue, 'roots' | 'next'>;
  /** Blocks of the deltas that are kept. */
  readonly kept: readonly Uint8Array[];
  /** Counters of the {@link HelperWork}. */
  readonly work: Int32Array;
  readonly limits: Pick<IndexOptions, 'strict' | 'blobMax' | 'objectMax' | 'commitMax' | 'chainDepthMax' | 'chainMax'>;
}

/** The rest of a family, which has an object too large for the memory of a thread. */
export interface LeftFamily {
  /** A base that is made. */
  readonly ordinal: number;
  /** The first of its deltas that is left. */
  readonly child: number;
  /** Bytes of the base. */
  readonly size: number;
  /** Deltas below it. */
  readonly depth: number;
  /** Bytes that are made to read it. */
  readonly chainBytes: number;
}

/** Nodes in the order in which the pack holds their trees. Objects are named by their ordinals. */
export interface ListedNodes {
  /** By node: its own object. */
  readonly places: Uint32Array;
  /** By node: its tree; -1: none. */
  readonly trees: Int32Array;
  /** By node: where its parents begin in `parentTrees`; behind the last one where they end. */
  readonly parentStarts: Uint32Array;
  readonly parentTrees: Uint32Array;
  /** One number: how many nodes were taken, or more at the end. In shared memory. */
  readonly next: Int32Array;
}

export interface ListJob extends ListedNodes {
  /** Ordinals in the order of their ids. */
  readonly byId: Uint32Array;
  /** Size of the largest object. */
  readonly largest: number;
}

export interface ListShare {
  /** Nodes whose lists follow each other in `lists`, and where each ends. */
  readonly nodes: Uint32Array;
  readonly ends: Uint32Array;
  readonly lists: Uint32Array;
  /** Nodes that reach something that is missing. */
  readonly incomplete: Uint32Array;
  /** Nodes with a tree too large for the memory of a thread. */
  readonly left: Uint32Array;
}
