/** A summary of samples. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the middle value; the mean of the two middle ones for an even number. Throws on an empty list. */
export const median = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('No samples');
  return (lower + upper) / 2;
};

/** Returns median, minimum and maximum of samples that are not empty. */
export const summarize = (samples: readonly number[]): Summary => ({
  median: median(samples),
  min: Math.min(...samples),
  max: Math.max(...samples),
});
