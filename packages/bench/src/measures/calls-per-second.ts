import { cpuUsage } from 'node:process';

/** The minimum processor time of a sample, in microseconds. */
const sampleTime = 40_000;

/** Keeps results alive, so that no compiler removes a call whose result is unused. */
let last: unknown;

/** Returns the result of the last measured call. */
export const lastResult = (): unknown => last;

/** Returns the processor time of this process so far, in microseconds, including the collector and the compilers. */
const spent = (): number => {
  const { user, system } = cpuUsage();
  return user + system;
};

/**
 * Measures calls of a function per second of processor time. That time advances only while this process runs, so other
 * work on the machine changes it little. Doubles the number of calls until a sample is long enough, so the code is
 * warm.
 */
export const callsPerSecond = (action: () => unknown): number => {
  for (let calls = 64; ; calls *= 2) {
    const start = spent();
    for (let i = 0; i < calls; i++) last = action();
    const elapsed = spent() - start;
    if (elapsed >= sampleTime) return (calls * 1_000_000) / elapsed;
  }
};

/** Does the same for an asynchronous function, called sequentially; `fewest` times at first. */
export const asyncCallsPerSecond = async (action: () => Promise<unknown>, fewest = 64): Promise<number> => {
  for (let calls = fewest; ; calls *= 2) {
    const start = spent();
    for (let i = 0; i < calls; i++) last = await action();
    const elapsed = spent() - start;
    if (elapsed >= sampleTime) return (calls * 1_000_000) / elapsed;
  }
};
