import { fetchPack } from '../client/fetch.ts';
import type { Row } from '../report/row.ts';
import { pushEverything, type Bench } from './bench.ts';

/**
 * Highest memory of a server that did nothing but one push of everything and one full clone: the process itself, or
 * for stock Git all its processes together, without the bridge.
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
