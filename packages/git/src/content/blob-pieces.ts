import type { SetPack } from '../graph/set-pack.ts';
import { entryHeaderMax, newEntryHeader, parseEntryHeader } from '../pack/entry-header.ts';
import { PackError } from '../pack/pack-error.ts';
import type { Codec, Inflater } from '../ports/codec.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { concatenate } from '../bytes/concatenate.ts';

/** Size in bytes of the pieces in which a blob is inflated. */
export const pieceSize: number = 64 * 1024;

/**
 * Returns the stored bytes of an entry: at once if its pack is in rows, else as a stream whose chunks are valid until
 * the next one.
 */
export async function entryBytes(
  view: RepositoryView,
  pack: SetPack,
  ordinal: number,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const start = pack.graph.offsets[ordinal] as number;
  const end = pack.graph.offsets[ordinal + 1] as number;
  const rows = await view.readRows(pack);
  // Copies only this part, so that the memory of the rest of the pack can be freed.
  return rows?.slice(start, end) ?? view.repository.packs.stream(pack.record.id, start, end);
}

/**
 * Inflates the entry of a whole object of known size, in pieces of {@link pieceSize}. Each piece is a new buffer.
 *
 * @throws {PackError} if the entry is no longer what was received, which is a fault of the storage.
 */
export async function* inflatedPieces(
  codec: Codec,
  entry: Uint8Array | AsyncIterable<Uint8Array>,
  size: number,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const inflater = codec.inflater();
  try {
    const output = new PieceInflater(inflater, size);
    for await (const chunk of withoutHeader(entry instanceof Uint8Array ? [entry] : entry)) {
      for (const piece of output.inflate(chunk)) {
        if (work.spend(cost.inflated, piece.length)) await work.yield();
        yield piece;
      }
    }
    if (!output.isWhole) throw new PackError('a stored object ends early');
  } finally {
    inflater.close();
  }
}

class PieceInflater {
  readonly #inflater: Inflater;
  /** Bytes of the object that are not inflated yet, including those of the current piece. */
  #left: number;
  #piece: Uint8Array;
  #filled = 0;

  constructor(inflater: Inflater, size: number) {
    this.#inflater = inflater;
    this.#left = size;
    this.#piece = this.#nextPiece();
    inflater.reset();
  }

  get isWhole(): boolean {
    return this.#left === 0;
  }

  *inflate(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    for (let at = 0; ;) {
      const { consumed, produced } = this.#inflater.step(
        chunk,
        at,
        chunk.length,
        this.#piece,
        this.#filled,
        this.#piece.length,
      );
      at += consumed;
      this.#filled += produced;
      if (this.isWhole && produced > 0) throw new PackError('a stored object is longer than it says');
      // All input is used, or the stream ended before it.
      if (this.#filled < this.#piece.length) return;
      const piece = this.#piece;
      this.#left -= piece.length;
      this.#piece = this.#nextPiece();
      this.#filled = 0;
      yield piece;
    }
  }

  /** Behind the last one there is room for a byte that must not come: zlib takes no output of no length. */
  #nextPiece(): Uint8Array {
    return new Uint8Array(Math.max(1, Math.min(pieceSize, this.#left)));
  }
}

/** The zlib stream of an entry of a whole object. */
async function* withoutHeader(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const header = newEntryHeader();
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    const joined: Uint8Array = start.length === 0 ? chunk : concatenate([start, chunk]);
    const outcome = parseEntryHeader(joined, 0, joined.length, header);
    if (outcome < 0 || joined.length > entryHeaderMax + chunk.length)
      throw new PackError('a stored entry has no header');
    start = outcome === 0 ? joined.slice() : undefined;
    if (start === undefined) yield joined.subarray(header.length);
  }
}
