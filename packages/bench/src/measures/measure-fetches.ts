import { fetchPack, type FetchRequest } from '../client/fetch.ts';
import type { Row } from '../report/row.ts';
import type { Bench } from './bench.ts';
import { checkCompleteFetch } from './complete.ts';
import { interleave, ratePerSecond, time } from './rounds.ts';
import { fetchOfNewest, fetchOfOne } from './source.ts';

/** `git` processes behind one fetch over CGI: http-backend, upload-pack, pack-objects. */
const startsOfFetch = 3;

const measureFetch = async (
  { contenders, source, rounds }: Bench,
  wanted: FetchRequest,
  row: Pick<Row, 'name' | 'title'>,
): Promise<Row[]> => {
  for (const { full } of contenders) await checkCompleteFetch(full, source, wanted);
  const samples = await interleave(contenders, rounds, ({ full }) => time(() => fetchPack(full, wanted)));
  return [{ ...row, unit: 'ms', gitStarts: startsOfFetch, samples }];
};

/** Measures a full clone; the client drains the pack. */
export const measureClone = (bench: Bench): Promise<Row[]> =>
  measureFetch(bench, bench.source.clone, { name: 'clone', title: 'full clone' });

/** Measures a fetch of the newest 1 % of the commits. */
export const measureFetchOfNewest = async (bench: Bench): Promise<Row[]> =>
  measureFetch(bench, await fetchOfNewest(bench.source), { name: 'fetch', title: 'fetch of the last 1 %' });

/** Measures how many fetches of one commit a server answers per second. */
export const measureRequests = async ({ contenders, source, rounds }: Bench): Promise<Row[]> => {
  const wanted = await fetchOfOne(source);
  for (const { full } of contenders) await checkCompleteFetch(full, source, wanted);
  const rate = (count: number, concurrency: number): Promise<Record<string, number[]>> =>
    interleave(contenders, rounds, ({ full }) => ratePerSecond(count, concurrency, () => fetchPack(full, wanted)));
  const row = { name: 'requests', unit: 'requests/s' } as const;
  return [
    { ...row, title: 'small fetches, one at a time', gitStarts: startsOfFetch, samples: await rate(40, 1) },
    // Processes start in parallel here, so their cost cannot be subtracted.
    { ...row, title: 'small fetches, 16 at a time', gitStarts: 0, samples: await rate(160, 16) },
  ];
};
