import { fetchPack } from '../client/fetch.ts';
import type { Row } from '../report/row.ts';
import { pushEverything, type Bench } from './bench.ts';

/**
 * Measures the peak memory of a server that handled one push of everything and one full clone. For stock Git this is
 * the sum of all its processes, without the bridge.
 */
export const measureMemory = async ({ starters, source }: Bench): Promise<Row[]> => {
  const samples: Record<string, number[]> = {};
  for (const start of starters) {
    const server = await start();
    try {
      const full = await pushEverything(server, 'memory', source);
      await server.settle('memory');
      await fetchPack(full, source.clone);
      const bytes = await server.peakMemory();
      samples[server.name] = bytes === null ? [] : [bytes / 1_000_000];
    } finally {
      await server.stop();
    }
  }
  return [{ name: 'memory', title: 'peak memory, push and clone', unit: 'MB', gitStarts: 0, samples }];
};
