import { CodecError, type Codec, type Inflater } from '../ports/codec.ts';

const shared = new WeakMap<Codec, Inflater>();

/**
 * Returns the inflater that all readers on one codec share. A user must reset it, and be done before its next `await`.
 */
export function sharedInflater(codec: Codec): Inflater {
  let inflater = shared.get(codec);
  if (inflater === undefined) {
    inflater = codec.inflater();
    shared.set(codec, inflater);
  }
  return inflater;
}

const nothing = new Uint8Array(1);

/**
 * Inflates the stream that starts at `input[start]` and is completely in `input` into `target[at..at + size)`. Returns
 * false if it does not inflate, or not to that size.
 */
export function inflateWhole(
  inflater: Inflater,
  input: Uint8Array,
  start: number,
  target: Uint8Array,
  at: number,
  size: number,
): boolean {
  inflater.reset();
  try {
    // zlib refuses output of no length, even where nothing will come.
    if (size === 0) return inflater.step(input, start, input.length, nothing, 0, nothing.length).produced === 0;
    return inflater.step(input, start, input.length, target, at, at + size).produced === size;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  }
}

/** Bytes that are made of a large object in one step: some milliseconds. */
export const pieceBytes: number = 1024 * 1024;

/**
 * Does the same as {@link inflateWhole} in steps of {@link pieceBytes}, on a separate inflater, so that other work can
 * run in between. Yields the number of bytes of each step. `size` is not 0.
 */
export function* inflatePieces(
  codec: Codec,
  input: Uint8Array,
  start: number,
  target: Uint8Array,
  at: number,
  size: number,
): Generator<number, boolean, undefined> {
  const inflater = codec.inflater();
  try {
    let from = start;
    for (let made = 0; made < size;) {
      const to = at + Math.min(made + pieceBytes, size);
      const { consumed, produced } = inflater.step(input, from, input.length, target, at + made, to);
      if (produced === 0) return false;
      from += consumed;
      made += produced;
      yield produced;
    }
    return true;
  } catch (error) {
    if (error instanceof CodecError) return false;
    throw error;
  } finally {
    inflater.close();
  }
}
