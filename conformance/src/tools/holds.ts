import fc from 'fast-check';
import type { Context } from '../core/context.ts';

/** How long a failing input is made smaller, in milliseconds; then what was found so far is reported. */
const shrinkMost = 60_000;

/** Expects that a property holds for random inputs, made of the seed of the case. @throws with the smallest that fails. */
export async function holds<T>(t: Context, runs: number, property: fc.IAsyncProperty<T>): Promise<void> {
  await fc.assert(property, {
    seed: t.seed,
    numRuns: runs,
    interruptAfterTimeLimit: shrinkMost,
    markInterruptAsFailure: true,
  });
}
