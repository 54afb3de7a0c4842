import { expect, it } from 'vitest';
import type { BenchResult } from '../run.ts';
import { linesOf, plot } from './plot.ts';

const run = (objects: number, samples: Record<string, number[]>): BenchResult =>
  ({ objects, runtimes: ['node'], rows: [{ title: 'clone', unit: 'ms', samples }] }) as unknown as BenchResult;

it('lines have the medians of one server by the size of the repository', () => {
  const runs = [run(10_000, { node: [30, 10, 20] }), run(1_000, { node: [2], git: [9] }), run(50, { git: [1] })];
  expect(linesOf(runs, 'node')).toEqual([
    {
      title: 'clone',
      points: [
        [1_000, 2],
        [10_000, 20],
      ],
    },
  ]);
  expect(linesOf(runs, 'deno')).toEqual([]);
});

it('draws ten times the time as far up as ten times the objects is to the right', () => {
  const svg = plot('Times <of> a & b', [
    {
      title: 'a & b',
      points: [
        [100, 1],
        [1_000, 10],
        [10_000, 100],
      ],
    },
  ]);
  expect(svg).toContain('<title>Times &lt;of> a &amp; b</title>');
  const [path = ''] = /M\d+ \d+(?:L\d+ \d+)+/.exec(svg) ?? [];
  const places = [...path.matchAll(/(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const steps = places.slice(1).map(([x, y], i) => [x - (places[i]?.[0] ?? 0), (places[i]?.[1] ?? 0) - y]);
  expect(steps[0]).toEqual(steps[1]);
  expect(steps.flat().every((step) => step > 0)).toBe(true);
});
