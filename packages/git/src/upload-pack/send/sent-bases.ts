import type { FetchPlan } from '../plan/fetch-plan.ts';

/** Pack features of the client (GIT-067). */
export interface PackForm {
  readonly thinPack: boolean;
  readonly ofsDelta: boolean;
}

/**
 * Tests if the client has `base` when it gets the object of that rank: sent before it, or held if packs may be thin.
 */
export function hasBase(plan: FetchPlan, form: PackForm, rank: number, base: number): boolean {
  return rankBefore(plan, rank, base) >= 0 || (form.thinPack && plan.held(base));
}

/** Rank of an object in the plan if it is sent before that of `rank`, else -1. Most deltas stand close to their base. */
export function rankBefore({ objects }: FetchPlan, rank: number, object: number): number {
  let low = Math.max(0, rank - (objects[rank] as number) + object);
  let high = rank - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = objects[middle] as number;
    if (found === object) return middle;
    if (found < object) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
