import { ratio, ratioWithoutStarts, type Row } from './row.ts';
import { summarize } from './statistics.ts';

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

const cell = (samples: readonly number[] | undefined): string => {
  if (!samples?.length) return '-';
  const { median, min, max } = summarize(samples);
  return samples.length === 1 ? number(median) : `${number(median)} (${number(min)}-${number(max)})`;
};

const ratioCell = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

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
 * The table of a run: medians with least and greatest samples, and how this server compares. `servers` has this server
 * first; `startMs` is the bare cost of starting one `git` process.
 */
export const renderTable = (rows: readonly Row[], servers: readonly string[], startMs: number): string => {
  const [ours = '', ...others] = servers;
  const [stock = ''] = others;
  const heading = [
    'measure',
    'unit',
    ...servers,
    'git starts',
    ...others.map((name) => `ratio to ${name}`),
    'ratio less starts',
  ];
  const lines = rows.map((row) => [
    row.title,
    row.unit,
    ...servers.map((name) => cell(row.samples[name])),
    row.gitStarts === 0 ? '-' : `${row.gitStarts} x ${number(startMs)} ms`,
    ...others.map((name) => ratioCell(ratio(row, ours, name))),
    ratioCell(ratioWithoutStarts(row, ours, stock, startMs)),
  ]);
  return alignColumns([heading, ...lines]);
};
