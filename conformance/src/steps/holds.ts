import fc from 'fast-check';
import type { Context } from '../core/context.ts';
import { currentRecorder } from '../evidence/recorder.ts';

/**
 * Expects that a property holds for random inputs, made from the seed of the case. Starts no further input after
 * `longest` milliseconds, for slow machines and services: a failure is reported as far as it was shrunk, and otherwise
 * the inputs tried so far suffice. The first input may take as long as the case.
 *
 * @throws with the smallest failing input.
 */
export async function holds<T>(
  t: Pick<Context, 'seed' | 'runs'>,
  runs: number,
  property: fc.IAsyncProperty<T>,
  longest = 60_000,
): Promise<void> {
  const { seed, runs: times = 1 } = t;
  const tried = recorded(property);
  let first: ReturnType<typeof tried.run> | undefined;
  const run: typeof tried.run = (value, ...more) => {
    const running = tried.run(value, ...more);
    first ??= running;
    return running;
  };
  const limits = { seed, numRuns: runs * times, interruptAfterTimeLimit: longest * times };
  try {
    await fc.assert(Object.assign(Object.create(tried) as typeof tried, { run }), limits);
  } catch (error) {
    if (!(error as Error).message.startsWith('Property interrupted after 0 tests')) throw error;
    const failure = await first;
    if (failure !== null && failure !== undefined && 'error' in failure) throw failure.error;
  }
}

/** Lets the evidence of the case be that of the smallest input that failed, not of the last one that was tried. */
function recorded<T>(property: fc.IAsyncProperty<T>): fc.IAsyncProperty<T> {
  const recorder = currentRecorder();
  if (recorder === undefined) return property;
  const run: fc.IAsyncProperty<T>['run'] = async (value, ...more) => {
    recorder.nextInput();
    const failure = await property.run(value, ...more);
    if (failure !== null && 'error' in failure) recorder.inputFailed();
    return failure;
  };
  return Object.assign(Object.create(property) as fc.IAsyncProperty<T>, { run });
}
