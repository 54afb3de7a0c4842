import { createMock } from '@packhouse/msw';
import { interleave, time } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import type { NamedSeed } from './seeds.ts';

/** Measures how long mocks of each seed take to be ready, and how long a reset takes. */
export const measureReady = async (seeds: readonly NamedSeed[], rounds: number): Promise<readonly Row[]> => {
  // One round more than counted: the first compiles the code.
  const ready = await interleave(seeds, rounds + 1, ({ seed }) =>
    time(() => createMock({ baseUrl, seed }).store.ready()),
  );
  const mocks = seeds.map(({ name, seed }) => ({ name, store: createMock({ baseUrl, seed }).store }));
  // Seeding starts at once, so unfinished seeding would count for another mock.
  for (const { store } of mocks) await store.ready();
  const reset = await interleave(mocks, rounds, ({ store }) => time(() => store.reset()));
  const counted = Object.fromEntries(Object.entries(ready).map(([name, samples]) => [name, samples.slice(1)]));
  return [
    { name: 'ready', title: 'a mock is ready', unit: 'ms', samples: counted, gitStarts: 0 },
    { name: 'reset', title: 'a mock is reset', unit: 'ms', samples: reset, gitStarts: 0 },
  ];
};

const baseUrl = 'https://api.example.test';
