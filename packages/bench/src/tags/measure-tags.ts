import { asyncCallsPerSecond } from '../measures/calls-per-second.ts';
import { interleave, time } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import type { PageStart, TagContender } from './contender.ts';
import type { MeasuredList } from './lists.ts';
import type { SampleResource } from './sample-resources.ts';

/** The page that is measured in addition to the first one. */
export const farPage = 500;
/** Writes per sample. Each waits for the disk, so they are timed by the clock and not by the processor. */
const writesOfSample = 20;

/** Measures the milliseconds of processor time of a call. */
const milliseconds = async (action: () => Promise<unknown>): Promise<number> =>
  1000 / (await asyncCallsPerSecond(action, 1));

const row = (name: string, title: string, samples: Row['samples']): Row => ({
  name,
  title,
  unit: 'ms',
  gitStarts: 0,
  samples,
});

/** Throws an error unless all contenders return the same page, with at least one item if `some` is set. */
export const checkSamePage = async (
  contenders: readonly TagContender[],
  list: MeasuredList,
  start: PageStart | undefined,
): Promise<void> => {
  const [first, ...others] = await Promise.all(
    contenders.map(async (contender) => ({
      name: contender.name,
      items: await contender.read(list, await contender.page(list, start)()),
    })),
  );
  if (first === undefined) return;
  for (const { name, items } of others) {
    const different = first.items.findIndex((item, at) => item !== items[at]);
    if (different >= 0 || items.length !== first.items.length) {
      const at = Math.max(different, 0);
      throw new Error(
        `${list.title}: ${name} gives ${items.length} items, ${first.name} ${first.items.length}; ` +
          `item ${at} is ${items[at]}, not ${first.items[at]}`,
      );
    }
  }
};

/** Measures one page of a list, after checking that all contenders return the same. */
export const measurePage = async (
  contenders: readonly TagContender[],
  list: MeasuredList,
  page: number,
  start: PageStart | undefined,
  rounds: number,
): Promise<Row> => {
  await checkSamePage(contenders, list, start);
  const asked = contenders.map((contender) => ({ name: contender.name, ask: contender.page(list, start) }));
  const samples = await interleave(asked, rounds, ({ ask }) => milliseconds(ask));
  return row(`page-${page}`, `${list.title}, page ${page}`, samples);
};

/** Measures a read of one resource. */
export const measureGet = async (
  contenders: readonly TagContender[],
  sample: SampleResource,
  rounds: number,
): Promise<Row> => {
  const asked = contenders.map((contender) => ({ name: contender.name, ask: contender.get(sample) }));
  return row('get', 'get', await interleave(asked, rounds, ({ ask }) => milliseconds(ask)));
};

/** Measures a write of one resource, as durable as the file is configured to be. */
export const measureSet = async (
  contenders: readonly TagContender[],
  sample: SampleResource,
  rounds: number,
): Promise<Row> => {
  const asked = contenders.map((contender) => ({ name: contender.name, write: contender.set(sample) }));
  const samples = await interleave(asked, rounds, async ({ write }) => {
    const elapsed = await time(async () => {
      for (let i = 0; i < writesOfSample; i++) await write();
    });
    return elapsed / writesOfSample;
  });
  return row('set', 'set', samples);
};
