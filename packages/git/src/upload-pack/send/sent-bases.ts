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
  const baseRank = rankOf(plan, base);
  return (baseRank >= 0 && baseRank < rank) || (form.thinPack && plan.held(base));
}

/** Rank of an object in the plan; -1 if it is not sent. */
export function rankOf({ objects }: FetchPlan, object: number): number {
  // Where all is sent, the rank is the number.
  if (objects[object] === object) return object;
  let low = 0;
  let high = objects.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = objects[middle] as number;
    if (found === object) return middle;
    if (found < object) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
