import type { SeedTime } from '../seed/plant.ts';

/** Creates a clock that moves only by `set`. */
export function seedTime(start: number): SeedTime {
  let at = start;
  return {
    now: () => at,
    set(next) {
      at = next;
    },
  };
}
