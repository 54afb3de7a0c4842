/** A source of pseudo-random numbers, which depend only on the seed. */
export interface Random {
  /** Returns an integer from 0 up to but not including `limit`. */
  readonly below: (limit: number) => number;
  /** Returns one of the items of a list that is not empty. */
  readonly pick: <T>(items: readonly T[]) => T;
  /** Returns bytes that do not compress. */
  readonly bytes: (length: number) => Buffer;
}

/** Mulberry32: 32 bits of state are enough to vary a sample repository. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('Nothing to pick from');
      return item;
    },
    bytes: (length) => {
      const bytes = Buffer.allocUnsafe(Math.ceil(length / 4) * 4);
      for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(next(), at);
      return bytes.subarray(0, length);
    },
  };
};
