import { cpuUsage } from 'node:process';

/** Processor time that a sample takes at least, in microseconds. */
const sampleTime = 40_000;

/** Where results go, so that no compiler leaves out a call that nobody asks the result of. */
let last: unknown;

/** The result of the call that was measured last. */
export const lastResult = (): unknown => last;

/** Processor time of this process so far, in microseconds; that of the collector and the compilers is in it. */
const spent = (): number => {
  const { user, system } = cpuUsage();
  return user + system;
};

/**
 * Calls of a function in a second of processor time, which goes on only while this process runs: other work of the
 * machine changes it little. Calls twice as often until a sample is long enough, so what is measured is warm.
 */
export const callsPerSecond = (action: () => unknown): number => {
  for (let calls = 64; ; calls *= 2) {
    const start = spent();
    for (let i = 0; i < calls; i++) last = action();
    const elapsed = spent() - start;
    if (elapsed >= sampleTime) return (calls * 1_000_000) / elapsed;
  }
};

/** The same of an asynchronous function, called one after the other; `fewest` times at first. */
export const asyncCallsPerSecond = async (action: () => Promise<unknown>, fewest = 64): Promise<number> => {
  for (let calls = fewest; ; calls *= 2) {
    const start = spent();
    for (let i = 0; i < calls; i++) last = await action();
    const elapsed = spent() - start;
    if (elapsed >= sampleTime) return (calls * 1_000_000) / elapsed;
  }
};
