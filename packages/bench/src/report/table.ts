import { ratio, ratioWithoutStarts, type Row } from './row.ts';
import type { ManyPushesRow } from '../measures/measure-many-pushes.ts';
import type { UsageRow } from '../measures/measure-usage.ts';
import { summarize } from './statistics.ts';

/** The servers of a run by name: this one by its runtimes, and the others. */
export interface Servers {
  readonly runtimes: readonly string[];
  readonly others: readonly string[];
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Median of samples with the least and the greatest, or a dash. */
export const samplesCell = (samples: readonly number[] | undefined): string => {
  if (!samples?.length) return '-';
  const { median, min, max } = summarize(samples);
  return samples.length === 1 ? number(median) : `${number(median)} (${number(min)}-${number(max)})`;
};

/** A ratio with two digits behind the point, or a dash. */
export const ratioCell = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

/** Aligns rows of cells: the first column to the left, numbers to the right. */
export const alignColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((text, column) => Math.max(known[column] ?? 0, text.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/**
 * The table of a run: medians with least and greatest samples, and how this server, on its first runtime, compares with
 * others. `startMs` is the bare cost of starting one `git` process.
 */
export const renderTable = (rows: readonly Row[], { runtimes, others }: Servers, startMs: number): string => {
  const [ours = ''] = runtimes;
  const [stock] = others;
  const heading = [
    'measure',
    'unit',
    ours,
    ...others,
    ...(stock === undefined ? [] : ['git starts']),
    ...others.map((name) => `ratio to ${name}`),
    ...(stock === undefined ? [] : ['ratio less starts']),
  ];
  const lines = rows.map((row) => [
    row.title,
    row.unit,
    ...[ours, ...others].map((name) => samplesCell(row.samples[name])),
    ...(stock === undefined ? [] : [row.gitStarts === 0 ? '-' : `${row.gitStarts} x ${number(startMs)} ms`]),
    ...others.map((name) => ratioCell(ratio(row, ours, name))),
    ...(stock === undefined ? [] : [ratioCell(ratioWithoutStarts(row, ours, stock, startMs))]),
  ]);
  return alignColumns([heading, ...lines]);
};

/** How the runtimes of this server compare with the first of them: medians, and how much each further one takes of it. */
export const renderRuntimes = (rows: readonly Row[], { runtimes }: Servers): string => {
  const [first = '', ...further] = runtimes;
  const heading = ['measure', 'unit', ...runtimes, ...further.map((name) => `${name} to ${first}`)];
  const lines = rows.map((row) => [
    row.title,
    row.unit,
    ...runtimes.map((name) => samplesCell(row.samples[name])),
    ...further.map((name) => ratioCell(ratio(row, name, first))),
  ]);
  return alignColumns([heading, ...lines]);
};

/** What the requests that carry packs cost where somebody counts. */
export const renderUsage = (rows: readonly UsageRow[]): string =>
  alignColumns([
    ['cost of one request', 'server', 'R2 class A', 'R2 class B', 'object calls'],
    ...rows.map(({ title, server, usage }) => [
      title,
      server,
      String(usage.r2ClassA),
      String(usage.r2ClassB),
      String(usage.objectCalls),
    ]),
  ]);

/** What a repository of many small pushes takes, over what the same one takes that was pushed at once. */
export const renderManyPushes = (rows: readonly ManyPushesRow[]): string =>
  alignColumns([
    ['many small pushes', 'server', 'packs', 'bytes', 'clone', 'small fetch', 'last pushes to first'],
    ...rows.map(({ pushes, when, server, packs, bytes, clone, fetch, push }) => [
      `${pushes} pushes, ${when}`,
      server,
      String(packs),
      ratioCell(bytes),
      ratioCell(clone),
      ratioCell(fetch),
      ratioCell(push),
    ]),
  ]);
