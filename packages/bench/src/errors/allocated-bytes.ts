import { memoryUsage } from 'node:process';
import { GCProfiler } from 'node:v8';

/** Calls before the first sample, so that compiled code is measured. */
const warmUp = 400;
const attempts = 5;
/** Calls of the longest sample, for functions that allocate too little to start the collector. */
const mostCalls = 16_384;

/**
 * Returns how much a number of calls adds to the heap; null if the collector ran meanwhile, which makes the growth
 * unknown.
 */
const heapGrowth = (action: () => unknown, calls: number): number | null => {
  const profiler = new GCProfiler();
  profiler.start();
  const before = memoryUsage().heapUsed;
  for (let i = 0; i < calls; i++) action();
  const after = memoryUsage().heapUsed;
  return profiler.stop().statistics.length === 0 ? after - before : null;
};

/**
 * Returns the bytes of V8's heap that one call of a function allocates: the average over as many calls as fit between
 * two runs of the collector, 16,384 at most. Throws a RangeError if not even one call fits.
 */
export const allocatedBytes = (action: () => unknown): number => {
  for (let i = 0; i < warmUp; i++) action();
  let bytes: number | undefined;
  for (let calls = 1; calls <= mostCalls; calls *= 2) {
    let growth: number | null = null;
    for (let attempt = 0; attempt < attempts && growth === null; attempt++) growth = heapGrowth(action, calls);
    if (growth === null) break;
    bytes = growth / calls;
  }
  if (bytes === undefined) throw new RangeError('One call allocates more than fits between two runs of the collector');
  return bytes;
};
