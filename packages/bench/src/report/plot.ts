import { readFile } from 'node:fs/promises';
import type { BenchResult } from '../run.ts';
import { median } from './statistics.ts';

/** A measure over several sizes. */
export interface Line {
  readonly title: string;
  /** Size and measure, ascending by size. */
  readonly points: readonly (readonly [size: number, measure: number])[];
}

/** Titles of the axes of a plot. */
export interface Axes {
  readonly x: string;
  readonly y: string;
}

const [width, height] = [760, 420];
const [left, right, top, bottom] = [64, 250, 32, 44];
const colours = ['#0b6bcb', '#c2410c', '#15803d', '#7e22ce', '#b91c1c', '#0e7490', '#a16207', '#4b5563'];

/** The powers of ten from the one at or below the least value to the one at or above the largest. */
const decades = (values: readonly number[]): number[] => {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
};

const number = (value: number): string => (value >= 1 ? value.toLocaleString('en-US') : String(value));
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Draws measures against sizes, both on logarithmic scales, for light and dark pages. */
export const plot = (title: string, lines: readonly Line[], axes: Axes = { x: 'objects', y: 'ms' }): string => {
  const points = lines.flatMap((line) => line.points);
  const [xs, ys] = [decades(points.map(([x]) => x)), decades(points.map(([, y]) => y))];
  const scale = (ticks: readonly number[], value: number, from: number, to: number): number => {
    const [first, last] = [Math.log10(ticks[0] as number), Math.log10(ticks.at(-1) as number)];
    return Math.round(from + ((Math.log10(value) - first) / (last - first)) * (to - from));
  };
  const x = (value: number): number => scale(xs, value, left, width - right);
  const y = (value: number): number => scale(ys, value, height - bottom, top);
  const grid = [
    ...xs.map((tick) => `<path d="M${x(tick)} ${top}V${height - bottom}"/>`),
    ...ys.map((tick) => `<path d="M${left} ${y(tick)}H${width - right}"/>`),
  ];
  const texts = [
    ...xs.map((tick) => `<text x="${x(tick)}" y="${height - bottom + 18}" text-anchor="middle">${number(tick)}</text>`),
    ...ys.map((tick) => `<text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${number(tick)}</text>`),
    `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">${escaped(axes.x)}</text>`,
    `<text x="${left - 8}" y="14" text-anchor="start">${escaped(axes.y)}</text>`,
  ];
  const drawn = lines.map((line, i) => {
    const colour = colours[i % colours.length] as string;
    const path = line.points.map(([a, b], at) => `${at === 0 ? 'M' : 'L'}${x(a)} ${y(b)}`).join('');
    const dots = line.points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3" fill="${colour}"/>`).join('');
    const at = top + 8 + i * 22;
    const legend = `<path d="M${width - right + 16} ${at}h22" stroke="${colour}"/><text x="${width - right + 46}" y="${at + 4}">${escaped(line.title)}</text>`;
    return `<g fill="none" stroke-width="2"><path d="${path}" stroke="${colour}"/>${legend}</g>${dots}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>text{font:13px system-ui,sans-serif;fill:#444;stroke:none}.grid path{stroke:#8884}@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>
<g class="grid" fill="none">${grid.join('')}</g>
${texts.join('\n')}
${drawn.join('\n')}
</svg>
`;
};

/** Returns the measures in milliseconds of a server, over the runs of several repositories. */
export const linesOf = (runs: readonly BenchResult[], server: string): Line[] => {
  const titles = new Set(
    runs.flatMap(({ rows }) => rows.filter(({ unit }) => unit === 'ms').map(({ title }) => title)),
  );
  const lines = [...titles].map((title): Line => {
    const points = runs.flatMap(({ objects, rows }): (readonly [number, number])[] => {
      const samples = rows.find((row) => row.title === title)?.samples[server];
      return samples === undefined || samples.length === 0 ? [] : [[objects, median(samples)]];
    });
    return { title, points: points.toSorted(([a], [b]) => a - b) };
  });
  return lines.filter(({ points }) => points.length > 1);
};

/** Draws the runs of several result files, for their first runtime. Throws if there is nothing to draw. */
export const plotFiles = async (files: readonly string[]): Promise<string> => {
  const runs: BenchResult[] = [];
  for (const file of files) runs.push(JSON.parse(await readFile(file, 'utf8')) as BenchResult);
  const server = runs[0]?.runtimes[0] ?? '';
  const lines = linesOf(runs, server);
  if (lines.length === 0) throw new Error('plot needs the result files of two runs of one measure or more');
  return plot(`Milliseconds of a request on ${server}, by the objects of the repository`, lines);
};
