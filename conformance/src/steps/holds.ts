import fc from 'fast-check';
import type { Context } from '../core/context.ts';

/**
 * Expects that a property holds for random inputs, made from the seed of the case. Starts no further input after
 * `longest` milliseconds, for slow machines and services: a failure is reported as far as it was shrunk, and otherwise
 * the inputs tried so far suffice.
 *
 * @throws with the smallest failing input, or if not even one input was finished.
 */
export async function holds<T>(
  t: Pick<Context, 'seed'>,
  runs: number,
  property: fc.IAsyncProperty<T>,
  longest = 60_000,
): Promise<void> {
  await fc.assert(property, { seed: t.seed, numRuns: runs, interruptAfterTimeLimit: longest });
}
