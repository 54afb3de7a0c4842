import type { Pass } from '../service/pass-meter.ts';

/** Microseconds. Shorter passes say more about the clock than about the work. */
const shortest = 500;
const rounds = 2_000;

/**
 * Estimates the cost of one unit of each kind from all passes, by least squares without negative costs. Nanoseconds by
 * kind.
 */
export function fitCosts(passes: readonly Pass[], kinds: number): readonly number[] {
  const used = passes.filter(({ cpu }) => cpu >= shortest);
  const products = Array.from({ length: kinds }, (_, a) =>
    Array.from({ length: kinds }, (_, b) => sum(used, ({ amounts }) => at(amounts, a) * at(amounts, b))),
  );
  const times = Array.from({ length: kinds }, (_, a) => sum(used, ({ amounts, cpu }) => at(amounts, a) * cpu * 1000));
  const found = Array.from({ length: kinds }, () => 0);
  for (let round = 0; round < rounds; round++) {
    for (let a = 0; a < kinds; a++) {
      const own = products[a]?.[a] ?? 0;
      if (own === 0) continue;
      let rest = times[a] ?? 0;
      for (let b = 0; b < kinds; b++) if (b !== a) rest -= (products[a]?.[b] ?? 0) * (found[b] ?? 0);
      found[a] = Math.max(0, rest / own);
    }
  }
  return found;
}

function at(amounts: Float64Array, kind: number): number {
  return amounts[kind] ?? 0;
}

function sum(passes: readonly Pass[], of: (pass: Pass) => number): number {
  return passes.reduce((total, pass) => total + of(pass), 0);
}
