import type { Row } from '../report/row.ts';
import { measureCodecs } from './measure-codecs.ts';
import { measureReady } from './measure-ready.ts';
import { measureRequests } from './measure-requests.ts';
import { measureStart } from './measure-start.ts';
import type { MocksOptions } from './options.ts';
import { seedsOf } from './seeds.ts';

/** Numbers of one run about mocks. */
export interface MocksResult {
  readonly rounds: number;
  /** The seeds of the mocks; the empty one is first. */
  readonly seeds: readonly string[];
  readonly ready: readonly Row[];
  readonly requests: Row;
  readonly start: Row;
  readonly codecs: readonly Row[];
}

/** Runs all measures of mocks. `progress` gets a line for each step. */
export const runMocks = async (
  { repos, rounds }: MocksOptions,
  progress: (line: string) => void,
): Promise<MocksResult> => {
  progress('measuring the start of processes');
  const start = await measureStart(rounds);
  const seeds = seedsOf(repos);
  progress(`measuring mocks with up to ${repos} repos`);
  const ready = await measureReady(seeds, rounds);
  progress('measuring requests');
  const requests = await measureRequests(rounds);
  progress('measuring codecs');
  const codecs = await measureCodecs(rounds);
  return { rounds, seeds: seeds.map(({ name }) => name), ready, requests, start, codecs };
};
