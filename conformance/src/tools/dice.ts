/** Random choices that are the same for the same seed. */
export interface Dice {
  /** Returns an integer from 0 to below `count`. */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32: short, and random enough to shuffle steps. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  };
  return {
    below: (count) => next() % count,
    pick: <T>(from: readonly T[]): T => from[next() % from.length] as T,
  };
}

/**
 * Returns `count` of the rows of a table, in their order: others for another seed. A case sends so few requests, and many
 * runs try all rows. `runs` asks for that many times as many rows.
 */
export function sample<T>(
  { seed, runs = 1 }: { readonly seed: number; readonly runs?: number },
  rows: readonly T[],
  count: number,
): readonly T[] {
  const { below } = dice(seed ^ rows.length);
  const chosen = rows.map((_, at) => at);
  while (chosen.length > count * runs) chosen.splice(below(chosen.length), 1);
  return chosen.map((at) => rows[at] as T);
}
