import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { entryHeaders, globalHeader, tarBlock, tarRecord } from './tar.ts';
import type { ObjectId } from '../object/object-id.ts';

/** Bytes of a piece, except the last one. */
const pieceSize = 64 * 1024;

/** Yields a tar archive in pieces, each in a new buffer. */
export async function* tarPieces(
  entries: AsyncGenerator<ArchiveEntry, void, undefined>,
  { commit, time }: { readonly commit: ObjectId; readonly time: number },
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new Pieces();
  output.add(globalHeader(commit, time));
  for await (const { content, ...entry } of entries) {
    const whole = content instanceof Uint8Array ? content : undefined;
    const isLink = entry.kind === 'link';
    for (const header of entryHeaders(entry, isLink ? whole : undefined, time)) output.add(header);
    yield* output.filled();
    if (isLink || content === undefined) continue;
    for await (const part of whole === undefined ? (content as AsyncGenerator<Uint8Array>) : [whole]) {
      for (let at = 0; at < part.length; at += pieceSize) {
        const copied = part.subarray(at, at + pieceSize);
        output.add(copied);
        if (work.spend(cost.compared, copied.length)) await work.yield();
        yield* output.filled();
      }
    }
    output.fillUp(tarBlock);
  }
  // Two empty blocks end an archive.
  output.add(new Uint8Array(2 * tarBlock));
  output.fillUp(tarRecord);
  yield* output.filled();
  yield* output.rest();
}

/** Joins bytes to pieces of {@link pieceSize}. */
class Pieces {
  #full: Uint8Array[] = [];
  #piece: Uint8Array = new Uint8Array(pieceSize);
  #used = 0;
  #total = 0;

  /** Copies the bytes. */
  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + pieceSize - this.#used);
      this.#piece.set(part, this.#used);
      at += part.length;
      this.#skip(part.length);
    }
  }

  /** Adds zeros up to a multiple of `size`. */
  fillUp(size: number): void {
    let missing = (size - (this.#total % size)) % size;
    this.#total += missing;
    while (missing > 0) {
      const part = Math.min(missing, pieceSize - this.#used);
      missing -= part;
      this.#skip(part);
    }
  }

  /** Yields the pieces that are full. */
  *filled(): Generator<Uint8Array, void, undefined> {
    if (this.#full.length === 0) return;
    const full = this.#full;
    this.#full = [];
    yield* full;
  }

  /** Yields what is left at the end. */
  *rest(): Generator<Uint8Array, void, undefined> {
    if (this.#used > 0) yield this.#piece.subarray(0, this.#used);
  }

  /** The bytes that are skipped hold zeros, or were written. */
  #skip(bytes: number): void {
    this.#used += bytes;
    if (this.#used < pieceSize) return;
    this.#full.push(this.#piece);
    this.#piece = new Uint8Array(pieceSize);
    this.#used = 0;
  }
}
