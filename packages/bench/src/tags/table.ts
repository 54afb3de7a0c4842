import { alignColumns } from '../report/table.ts';
import { median } from '../report/statistics.ts';
import type { FarPage } from './run-tags.ts';

/** Formats the time of a far page divided by that of the first one, for each contender. */
export const renderFarPages = (pages: readonly FarPage[], page: number): string => {
  const names = Object.keys(pages[0]?.far.samples ?? {});
  return alignColumns([
    [`page ${page} to page 1`, ...names],
    ...pages.map(({ title, first, far }) => [
      title,
      ...names.map((name) => (median(far.samples[name] ?? []) / median(first.samples[name] ?? [])).toFixed(2)),
    ]),
  ]);
};
