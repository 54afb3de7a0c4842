import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { PackGraph } from '../graph/pack-graph.ts';
import { cost } from '../work/costs.ts';
import { Scheduler } from '../work/scheduler.ts';
import { hasLargeReadings, readingMemory, usualReading } from './reading-memory.ts';

interface Entry {
  readonly size: number;
  readonly stored: number;
  /** How many entries before it its base is; 0: it has none. */
  readonly back: number;
}

function graphOf(entries: readonly Entry[]): PackGraph {
  const offsets = [12];
  for (const { stored } of entries) offsets.push((offsets.at(-1) as number) + stored);
  return {
    offsets: Float64Array.from(offsets),
    bases: Int32Array.from(entries, ({ back }, i) => (back === 0 || back > i ? -1 : i - back)),
    sizes: Uint32Array.from(entries, ({ size }) => size),
  } as unknown as PackGraph;
}

const mebibyte = 1024 * 1024;

describe('readingMemory', () => {
  it.each([
    ['a whole object: its bytes and what is stored', [{ size: 100, stored: 30, back: 0 }], 130],
    [
      'a delta: what it is made of, and the delta',
      [
        { size: 100, stored: 30, back: 0 },
        { size: 50, stored: 10, back: 1 },
      ],
      210,
    ],
    [
      'a small delta of something large: no more than it can inflate to',
      [
        { size: 1_000_000, stored: 1000, back: 0 },
        { size: 1_000_000, stored: 10, back: 1 },
      ],
      2_010_330,
    ],
    [
      'a small object over a large one',
      [
        { size: 1_000_000, stored: 900_000, back: 0 },
        { size: 10, stored: 5, back: 1 },
        { size: 5, stored: 5, back: 1 },
      ],
      1_900_000,
    ],
  ])('%s', (_, entries, bytes) => {
    expect(readingMemory(graphOf(entries), entries.length - 1)).toBe(bytes);
  });

  it('counts each link that it passes', () => {
    const scheduler = new Scheduler();
    const chain = graphOf(Array.from({ length: 4_000 }, (_, i) => ({ size: 10, stored: 10, back: i === 0 ? 0 : 1 })));
    readingMemory(chain, 3_999, scheduler.begin());
    expect(scheduler.totals[cost.entries]).toBeGreaterThanOrEqual(4_000);
  });

  const entries = fc.array(
    fc.record({ size: fc.nat(40 * mebibyte), stored: fc.integer({ min: 9, max: 40 * mebibyte }), back: fc.nat(4) }),
    { minLength: 1, maxLength: 20 },
  );

  test.prop([entries])('is never less than any step of the chain holds, and ends', (made) => {
    const graph = graphOf(made);
    made.forEach((_, ordinal) => {
      const bytes = readingMemory(graph, ordinal);
      for (let one = ordinal; one >= 0; one = graph.bases[one] as number) {
        const base = graph.bases[one] as number;
        const held = base < 0 ? 0 : (graph.sizes[base] as number);
        expect(bytes).toBeGreaterThanOrEqual((graph.sizes[one] as number) + held);
      }
    });
  });

  test.prop([entries])('is more than usual only where the pack is said to have such objects', (made) => {
    // The longest entries that a push may have.
    const longest = (size: number): number => 2 * size + 64 * 1024;
    const graph = graphOf(made.map((entry) => ({ ...entry, stored: Math.min(entry.stored, longest(entry.size)) })));
    const isLarge = made.some((_, ordinal) => readingMemory(graph, ordinal) > usualReading);
    if (isLarge) expect(hasLargeReadings(graph)).toBe(true);
  });

  it('objects of two megabytes may be large, as their entries may take twice that', () => {
    const made = [0, 1].map((back) => ({ size: 2_000_000, stored: 4_000_000, back }));
    expect(readingMemory(graphOf(made), 1)).toBeGreaterThan(usualReading);
    expect(hasLargeReadings(graphOf(made))).toBe(true);
  });

  it('small objects are never asked about', () => {
    expect(hasLargeReadings(graphOf([{ size: mebibyte, stored: 100, back: 0 }]))).toBe(false);
  });
});
