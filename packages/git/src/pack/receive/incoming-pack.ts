import type { GitObject, KindNumber } from '../../object/kind.ts';
import type { Codec } from '../../ports/codec.ts';
import type { PackId, PackStore } from '../../ports/pack-store.ts';
import type { Work } from '../../work/scheduler.ts';
import type { BufferPool } from '../buffer-pool.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { PackIndex } from '../pack-index.ts';
import type { ListedNodes, ListShare, ReceivingThreads } from './receiving-threads.ts';

/** Maximum bytes of a pack whose files are stored in rows, so that one transaction makes the whole push durable. */
export const rowPackMax = 1_500_000;

/** The memory that the request may use (LIM-059). */
export interface MemoryShare {
  /**
   * Takes `bytes` in all; may have to wait.
   *
   * @throws {NotEnoughMemoryError}
   */
  resize(bytes: number): Promise<void>;
  /**
   * Takes some more, if there is room at once.
   *
   * @throws {NotEnoughMemoryError}
   */
  grow(bytes: number): void;
  /** Takes some more, if there is room at once and no other request waits for it. Returns false otherwise. */
  growInTurn(bytes: number): boolean;
  /** Gives some back. */
  shrink(bytes: number): void;
  /**
   * An object is read now that takes so many bytes: takes the difference to the largest read so far, if there is room at
   * once.
   *
   * @throws {NotEnoughMemoryError}
   */
  reading(bytes: number): void;
}

/** Input of the indexer, except the bytes. Sizes are in bytes. */
export interface IndexOptions {
  readonly codec: Codec;
  readonly store: PackStore;
  /** Bound on one blob (LIM-051). */
  readonly blobMax: number;
  /** Bound on one tree (LIM-056). */
  readonly objectMax: number;
  /** Bound on one commit or tag (LIM-066). */
  readonly commitMax: number;
  /** Bound on the depth of delta chains (LIM-062). */
  readonly chainDepthMax: number;
  /** Bound on the bytes that are made to read one object through its chain (LIM-069). */
  readonly chainMax: number;
  /** Memory the whole indexing may take, apart from the largest object (LIM-059). */
  readonly memoryMax: number;
  /** Bytes of these that there are now: with fewer it plans for less. Default: `memoryMax`. */
  readonly memoryLeft?: number;
  /** Source of that memory, which has enough for a pack in rows. Default: no accounting. */
  readonly memory?: MemoryShare;
  /** Counts and interrupts its work. */
  readonly work: Work;
  /** Called with the number of bytes of each chunk that comes in. Default: no-op. */
  readonly received?: ((bytes: number) => void) | undefined;
  /** Source of large buffers. Default: new ones, left to the garbage collector. */
  readonly buffers?: BufferPool;
  /** Threads that help with a large pack. Default: none. */
  readonly threads?: ReceivingThreads | undefined;
  /** True if the repository has nothing that the push could lean on: then a thread may collect lists, too. */
  readonly leansOnNothing?: boolean;
  /** Maximum bytes of the pack, if known. */
  readonly bodyLength?: number | undefined;
  /** Tree entries must be sorted and unique too (GIT-146, `strict_objects`). */
  readonly strict: boolean;
  /**
   * The object with the 20 bytes at `at` in `oids`, if the repository has it and this push may see it: bases of thin
   * packs, and the twin of an object that the pack brings a second time (GIT-145, GIT-147).
   */
  readonly stored: (oids: Uint8Array, at: number) => GitObject | undefined | Promise<GitObject | undefined>;
  /**
   * The number of the object that `stored` would read, which grows with its place in the store; -1: not stored.
   * Cheap, since no objects are read. Synchronous, called once per object of the pack, and per base that it lacks.
   */
  readonly storedNumber: (oids: Uint8Array, at: number) => number;
  /**
   * Called once for every commit and tag of the pack, in no order, with its ordinal. The body is only lent. May throw a
   * {@link PackError}.
   */
  readonly visit: (ordinal: number, kind: KindNumber, body: Uint8Array) => void;
}

/** A pack that was received, indexed and checked on its own, and is not yet part of the repository. */
export interface IncomingPack {
  /** With the bases that were appended to complete a thin pack; these have the highest ordinals. */
  readonly index: PackIndex;
  /** How many objects the client sent: ordinals from here on are appended bases. */
  readonly sent: number;
  /** By ordinal: kind of the object in full, never a delta's. */
  readonly kinds: Uint8Array;
  /** By ordinal: size of the object in full. */
  readonly sizes: Uint32Array;
  /** By ordinal: ordinal of the delta base; -1 for whole objects. */
  readonly bases: Int32Array;
  readonly objects: ObjectReader;
  /** Lets the thread that helped collect what nodes of this pack introduce, once. Undefined: it has ended. */
  readonly collectBeside?: ((nodes: ListedNodes) => Promise<ListShare | undefined>) | undefined;
  /** Size of the `pack` file. */
  readonly packSize: number;
  /** The trailer of the `pack` file: 20 bytes. */
  readonly checksum: Uint8Array;
  /** The `.idx` (version 2), written on demand. */
  idx(): Promise<Uint8Array>;
  /** The whole `pack` file if it stayed in memory, as it will be stored; undefined if it went to the store in parts. */
  readonly bytes: readonly Uint8Array[] | undefined;
  /** Makes the `pack` file durable in the store, if it is not yet, and answers its id there. */
  keep(): Promise<PackId>;
  /** Gives its buffers back, after which no object of it may be read. */
  release(): Promise<void>;
  /** Removes what was written; the store hears nothing if that is nothing. Safe to call at any time. */
  discard(): Promise<void>;
}
