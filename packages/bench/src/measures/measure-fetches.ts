import { fetchPack, type FetchRequest } from '../client/fetch.ts';
import type { Row } from '../report/row.ts';
import type { Bench } from './bench.ts';
import { checkCompleteFetch } from './complete.ts';
import { interleave, ratePerSecond, time } from './rounds.ts';
import { fetchOfNewest, fetchOfOne, tipOfHead } from './source.ts';

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

/** Measures fetches of the newest commits, where there are that many. */
export const measureNewest = async (bench: Bench): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const count of [1, 100, 1_000].filter((some) => some < bench.source.commits)) {
    const row = { name: 'newest', title: `fetch of the newest ${count}` };
    rows.push(...(await measureFetch(bench, await fetchOfNewest(bench.source, count), row)));
  }
  return rows;
};

/** Takes one sample of every contender, since a request is the first only once. */
const measureFirst = async ({ contenders }: Bench, wanted: FetchRequest, title: string): Promise<Row> => {
  const samples = await interleave(contenders, 1, ({ full }) => time(() => fetchPack(full, wanted)));
  return { name: 'parts', title: `first ${title}`, unit: 'ms', gitStarts: startsOfFetch, samples };
};

/** Measures clones of one branch that are limited by depth or filter, or by nothing else: the first, and later ones. */
export const measureParts = async (bench: Bench): Promise<Row[]> => {
  const branch = { wants: [await tipOfHead(bench.source)], haves: [] };
  const parts: readonly (readonly [title: string, wanted: FetchRequest])[] = [
    ['clone of one branch', branch],
    ['clone with depth 1', { ...branch, isShallow: true }],
    ['clone with blob:none', { ...branch, filter: 'blob:none' }],
    ['clone with tree:0', { ...branch, filter: 'tree:0' }],
    ['clone with depth 1 and blob:none', { ...branch, isShallow: true, filter: 'blob:none' }],
  ];
  const rows: Row[] = [];
  for (const [title, wanted] of parts) {
    rows.push(await measureFirst(bench, wanted, title));
    rows.push(...(await measureFetch(bench, wanted, { name: 'parts', title })));
  }
  return rows;
};

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
