import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { FileOrder, longest } from '../file-order.ts';

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
  const sorted = await new FileOrder({ cache } as unknown as Vitest).sort(files as unknown as TestSpecification[]);
  expect(sorted.map(({ moduleId }) => moduleId.replace('/here/', ''))).toEqual([
    longest[0],
    longest[1],
    'slow.test.ts',
    'quick.test.ts',
  ]);
});

it('has each file of a slow suite in one of three shards, and all others in each', async () => {
  const names = ['units', 'node', 'runtimes', 'browser', 'long', 'workerd'];
  const some = names.flatMap((name) => [...longest, 'x.test.ts'].map((path) => `${name}/here/${path}`));
  const conformance = `runtimes/packages/cli/test/conformance/deno.runtimes.test.ts`;
  const files = [...some, conformance].map((path) => ({ moduleId: `/${path}`, project: { name: path.split('/')[0] } }));
  const shards = await Promise.all(
    [1, 2, 3].map(async (index) => {
      const order = new FileOrder({ config: { shard: { index, count: 3 } } } as unknown as Vitest);
      const kept = await order.shard(files as unknown as TestSpecification[]);
      return new Set(kept.map(({ moduleId }) => moduleId));
    }),
  );
  for (const { moduleId, project } of files) {
    const takesTurns =
      !['units', 'node'].includes(project.name ?? '') && !/cli\/test\/conformance\/\w+\.runtimes/.test(moduleId);
    expect(shards.filter((shard) => shard.has(moduleId))).toHaveLength(takesTurns ? 1 : 3);
  }
  const sizes = shards.map(({ size }) => size);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2);
});
