import { performance } from 'node:perf_hooks';

/** Measures the milliseconds of an action. */
export const time = async (action: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await action();
  return performance.now() - start;
};

/**
 * Takes `rounds` samples of every contender, one per round, and rotates the order. So a machine that becomes slower or
 * faster affects all contenders.
 */
export const interleave = async <T extends { readonly name: string }>(
  contenders: readonly T[],
  rounds: number,
  sample: (contender: T, round: number) => Promise<number>,
): Promise<Record<string, number[]>> => {
  const samples: Record<string, number[]> = Object.fromEntries(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      samples[contender.name]?.push(await sample(contender, round));
    }
  }
  return samples;
};

/** Runs an action `count` times, with at most `concurrency` at once. Resolves to actions per second. */
export const ratePerSecond = async (
  count: number,
  concurrency: number,
  action: () => Promise<unknown>,
): Promise<number> => {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await action();
  };
  const elapsed = await time(() => Promise.all(Array.from({ length: concurrency }, worker)));
  return (count * 1000) / elapsed;
};
