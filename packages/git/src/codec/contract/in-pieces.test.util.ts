import type { Inflater } from '../../ports/codec.ts';
import { joined } from './made-stream.test.util.ts';

/** Sizes that are used in turn, again and again. */
export type Sizes = readonly [number, ...number[]];

export interface Inflated {
  readonly output: Uint8Array;
  /** Offset in the input after the stream. */
  readonly end: number;
}

/**
 * Inflates a stream that is followed by other bytes, in pieces of these sizes with room for so much output at a time,
 * as the port says that it is done.
 */
export function inflateInPieces(inflater: Inflater, input: Uint8Array, pieces: Sizes, rooms: Sizes): Inflated {
  inflater.reset();
  const parts: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; ; turn++) {
    const end = Math.min(at + (pieces[turn % pieces.length] as number), input.length);
    const room = rooms[turn % rooms.length] as number;
    // Other bytes around the range on both sides must stay as they are.
    const target = new Uint8Array(room + 2).fill(0xa5);
    const { consumed, produced } = inflater.step(input, at, end, target, 1, 1 + room);
    if (consumed < 0 || consumed > end - at || produced < 0 || produced > room)
      throw new Error(`a step of ${end - at} and ${room} bytes used ${consumed} and ${produced}`);
    if (target[0] !== 0xa5 || target[1 + room] !== 0xa5) throw new Error('a step wrote outside of its room');
    parts.push(target.slice(1, 1 + produced));
    at += consumed;
    if (at < end && produced < room) return { output: joined(...parts), end: at };
    if (at === input.length && produced === 0) throw new Error('the stream did not end');
  }
}

/** In one step, with room for a byte more than what is expected. */
export function inflateAtOnce(inflater: Inflater, input: Uint8Array, size: number): Inflated {
  return inflateInPieces(inflater, input, [Math.max(1, input.length)], [size + 1]);
}
