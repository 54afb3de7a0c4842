import type { Codec } from '../../ports/codec.ts';
import type { PackId, PackStore } from '../../ports/pack-store.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import { BodyRing } from '../body-ring.ts';
import { offsetDelta } from '../entry-header.ts';
import type { PackIndex } from '../pack-index.ts';
import { PackReader, type BaseFinder } from './pack-reader.ts';
import { memorySource } from './pack-source.ts';
import { ordinalAtOffset } from '../pack-table.ts';
import type { PageCache } from './page-cache.ts';
import type { Work } from '../../work/scheduler.ts';

export interface StoredPackOptions {
  readonly id: PackId;
  readonly index: PackIndex;
  readonly store: PackStore;
  /** The whole `pack` file, if it is in rows: then store and pages are not used. */
  readonly bytes?: Uint8Array | undefined;
  readonly codec: Codec;
  readonly pages: PageCache;
  /** Counts what reading costs, and interrupts it. */
  readonly work: Work;
  /** Cache of recently read objects, and the offset of ordinals in it. Default: a new cache. */
  readonly cache?: BodyRing;
  readonly firstKey?: number;
}

/** Bytes of objects that one request keeps at hand: deltas near each other share their bases. */
export const baseCacheSize: number = 2 * 1024 * 1024;

/** A reader over a complete pack: one whose bases are all inside. */
export function openStoredPack(options: StoredPackOptions): PackReader {
  const { id, index, store, bytes, codec, pages, work, cache = new BodyRing(baseCacheSize), firstKey } = options;
  const size = (index.offsets[index.count] as number) + objectIdBytes;
  const source = bytes === undefined ? pages.source(store, id, size) : memorySource([bytes], bytes.length);
  return new PackReader(source, index.offsets, basesByIndex(index), codec, cache, work, firstKey);
}

/** Finds bases through the index. */
export function basesByIndex(index: PackIndex): BaseFinder {
  return (ordinal, header, bytes) =>
    header.type === offsetDelta
      ? ordinalAtOffset(index.offsets, ordinal, (index.offsets[ordinal] as number) - header.distance)
      : index.find(bytes, header.baseAt);
}
