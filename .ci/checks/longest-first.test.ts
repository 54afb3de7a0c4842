import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LongestFirst, longest } from '../longest-first.ts';

const root = join(import.meta.dirname, '..', '..');

it.each(longest)('%s is in the list to run first, and exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

it("runs the longest files first, in the order of the list, and leaves the others in Vitest's order", async () => {
  // In the order of Vitest: projects by name, then files by duration.
  const project = { name: 'node', config: { isolate: true, sequence: { groupOrder: 0 } } };
  const durations = new Map([
    ['/here/slow.test.ts', 3],
    [`/here/${longest[1]}`, 2],
    ['/here/quick.test.ts', 1],
    [`/here/${longest[0]}`, 0],
  ]);
  const cache = {
    getTestSpecificationResult: ({ moduleId }: TestSpecification) => ({
      failed: false,
      duration: durations.get(moduleId),
    }),
  };
  const files = [...durations.keys()].toReversed().map((moduleId) => ({ moduleId, project }));
  const sorted = await new LongestFirst({ cache } as unknown as Vitest).sort(files as unknown as TestSpecification[]);
  expect(sorted.map(({ moduleId }) => moduleId.replace('/here/', ''))).toEqual([
    longest[0],
    longest[1],
    'slow.test.ts',
    'quick.test.ts',
  ]);
});
