import { type ManyPushesRow, type Row, type ShareRow, type UsageRow, ratio, ratioWithoutStarts } from './row.ts';
import { summarize } from './statistics.ts';

/** The servers of a run by name: the runtimes of this one, and the others. */
export interface Servers {
  readonly runtimes: readonly string[];
  readonly others: readonly string[];
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Formats the median of samples with minimum and maximum, or a dash. */
export const samplesCell = (samples: readonly number[] | undefined): string => {
  if (!samples?.length) return '-';
  const { median, min, max } = summarize(samples);
  return samples.length === 1 ? number(median) : `${number(median)} (${number(min)}-${number(max)})`;
};

/** Formats a ratio with two decimals, or a dash. */
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
 * Formats the table of a run: medians with minimum and maximum, and the ratio of this server, on its first runtime, to
 * the others. `startMs` is the cost of starting one `git` process.
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

/** Formats the shares of layers, in percent; a layer has a column if it has 2 % of any request. */
export const renderShares = (rows: readonly ShareRow[]): string => {
  const layers = [
    ...new Set(
      rows.flatMap(({ shares }) => Object.entries(shares).flatMap(([name, share]) => (share >= 0.02 ? name : []))),
    ),
  ];
  return alignColumns([
    ['% of busy time', ...layers],
    ...rows.map(({ title, shares }) => [title, ...layers.map((name) => (100 * (shares[name] ?? 0)).toFixed(0))]),
  ]);
};

/** Formats the comparison of this server's runtimes with the first: medians, and ratios. */
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

/** Formats the cost of requests that carry packs, for servers that report it. */
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

/** Formats the costs of a repository made by many small pushes, as ratios to one made by a single push. */
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
