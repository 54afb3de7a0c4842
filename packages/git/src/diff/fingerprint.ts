import type { Steps } from '../work/loops.ts';
import { isBinary } from './file-content.ts';

/**
 * The pieces of a file's content: its lines, in parts of at most {@link pieceMax} bytes. Each piece is known by a hash.
 */
export interface Fingerprint {
  /** Hashes, ascending. */
  readonly hashes: Uint32Array;
  /** By hash: number of bytes of its pieces. */
  readonly bytes: Uint32Array;
}

const pieceMax = 64;
/** Number of different hashes: a prime, which decides which pieces Git takes for equal. */
const hashCount = 107_927;
/** Bytes between two stops. */
const stretch = 64 * 1024;

const [newline, carriageReturn] = [10, 13];

/**
 * Computes the fingerprint that Git's similarity index is based on. Like Git before 2.44, it leaves out a last line
 * without a line end, if that is shorter than a piece.
 *
 * Steps report bytes.
 */
export function* fingerprintOf(content: Uint8Array): Steps<Fingerprint> {
  const skipsReturns = !isBinary(content);
  const counts = new Map<number, number>();
  for (let from = 0; from < content.length;) {
    const to = countPieces(content, from, skipsReturns, counts);
    yield to - from;
    from = to;
  }
  // Filling an array from an iterator takes several times as long.
  const hashes = new Uint32Array(counts.size);
  let i = 0;
  for (const hash of counts.keys()) hashes[i++] = hash;
  hashes.sort();
  return { hashes, bytes: hashes.map((hash) => counts.get(hash) as number) };
}

/** Counts the pieces of a stretch that begins with a piece, and returns its end. In a generator, it would take longer. */
function countPieces(content: Uint8Array, from: number, skipsReturns: boolean, counts: Map<number, number>): number {
  const end = Math.min(from + stretch, content.length);
  let [low, high, length] = [0, 0, 0];
  let at = from;
  for (; at < content.length && (at < end || length > 0); at++) {
    const byte = content[at] as number;
    if (byte === carriageReturn && skipsReturns && content[at + 1] === newline) continue;
    const before = low;
    low = (((low << 7) ^ (high >>> 25)) + byte) | 0;
    high = (high << 7) ^ (before >>> 25);
    if (++length < pieceMax && byte !== newline) continue;
    const hash = ((low + Math.imul(high, 0x61)) >>> 0) % hashCount;
    counts.set(hash, (counts.get(hash) ?? 0) + length);
    low = high = length = 0;
  }
  return at;
}

/** Returns the number of bytes of pieces that both have. */
export function commonBytes(a: Fingerprint, b: Fingerprint): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.hashes.length && j < b.hashes.length;) {
    const difference = (a.hashes[i] as number) - (b.hashes[j] as number);
    if (difference === 0) common += Math.min(a.bytes[i++] as number, b.bytes[j++] as number);
    else if (difference < 0) i++;
    else j++;
  }
  return common;
}

export function fingerprintMemory({ hashes }: Fingerprint): number {
  return 8 * hashes.length + 200;
}
