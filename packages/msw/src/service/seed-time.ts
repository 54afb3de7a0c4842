import type { SeedTime } from '../seed/plant.ts';

/** A clock that stands still unless it is set. */
export function seedTime(start: number): SeedTime {
  let at = start;
  return {
    now: () => at,
    set(next) {
      at = next;
    },
  };
}
