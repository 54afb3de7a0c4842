import fc from 'fast-check';
import type { Context } from '../core/context.ts';

/**
 * Expects that a property holds for random inputs, made of the seed of the case. After `longest` milliseconds no further
 * one is tried: one that failed is reported as small as it is by then, and if none did, on a slow machine or of a slow
 * service, those that were tried must do. @throws with the smallest that fails, or if not even one was tried to its end.
 */
export async function holds<T>(
  t: Pick<Context, 'seed'>,
  runs: number,
  property: fc.IAsyncProperty<T>,
  longest = 60_000,
): Promise<void> {
  await fc.assert(property, { seed: t.seed, numRuns: runs, interruptAfterTimeLimit: longest });
}
