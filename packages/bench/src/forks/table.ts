import { median } from '../report/statistics.ts';
import { alignColumns, samplesCell } from '../report/table.ts';
import type { ForksResult } from './run-forks.ts';

/** Formats the times of copies by size, their ratio to the smallest, and the bytes added to the stored packs. */
export const renderForks = ({ objects, rows }: ForksResult): string => {
  const [, ...larger] = objects;
  return alignColumns([
    ['ms', ...objects.map((count) => `${count} objects`), ...larger.map((count) => `${count} to least`), 'bytes added'],
    ...rows.map(({ name, samples, addedBytes }) => {
      const [smallest = [], ...others] = samples;
      return [
        name,
        ...samples.map((some) => samplesCell(some)),
        ...others.map((some) => (median(some) / median(smallest)).toFixed(2)),
        addedBytes === null ? '-' : String(addedBytes),
      ];
    }),
  ]);
};
