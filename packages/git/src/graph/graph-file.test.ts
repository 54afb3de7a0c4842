import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { cost, sliceUnits } from '../work/costs.ts';
import { Scheduler } from '../work/scheduler.ts';
import { GraphFileError, parseGraphFile, writeGraphFile } from './graph-file.ts';
import { chainOf, madeGraph } from './made-graph.test.util.ts';
import { noObject, type PackGraph } from './pack-graph.ts';

const codec = nodeCodec();
const work = new Scheduler().begin();

/** Graphs with any tables that fit together, whether or not a push could make them. */
const graphs: fc.Arbitrary<PackGraph> = fc
  .record({ count: fc.nat(40), extCount: fc.nat(6), nodes: fc.nat(12), random: fc.infiniteStream(fc.nat(2 ** 31 - 1)) })
  .map(({ count, extCount, nodes, random }) => {
    const next = (below: number): number => (below === 0 ? 0 : random.next().value % below);
    const objects = count + extCount;
    const nodeObjects = [...new Set(Array.from({ length: Math.min(nodes, objects) }, () => next(objects)))].sort(
      (a, b) => a - b,
    );
    const nodeCount = nodeObjects.length;
    const offsets = new Uint32Array(count + 1);
    offsets[0] = 12;
    for (let i = 0; i < count; i++) offsets[i + 1] = (offsets[i] as number) + 1 + next(100_000);
    const parentStarts = [0];
    const parents: number[] = [];
    const listStarts = [0];
    const lists: number[] = [];
    for (let node = 0; node < nodeCount; node++) {
      for (let i = next(4); i > 0; i--) parents.push(next(nodeCount + extCount));
      parentStarts.push(parents.length);
      lists.push(...new Set(Array.from({ length: next(9) }, () => next(objects))));
      lists.splice(listStarts.at(-1) as number, Infinity, ...lists.slice(listStarts.at(-1)).sort((a, b) => a - b));
      listStarts.push(lists.length);
    }
    const twice = count === 0 || extCount === 0 ? [] : [...new Set([next(count), next(count)])].sort((a, b) => a - b);
    const duplicates = twice.flatMap((ordinal) => [ordinal, next(extCount)]);
    return {
      packChecksum: Uint8Array.from({ length: 20 }, () => next(256)),
      count,
      ext: Uint8Array.from({ length: extCount * 20 }, () => next(256)),
      kinds: Uint8Array.from({ length: count }, () => 1 + next(4) + 8 * next(4)),
      offsets,
      bases: Int32Array.from({ length: count }, (_, i) => (next(2) === 0 || i === 0 ? -1 : next(i))),
      sizes: Uint32Array.from({ length: count }, () => next(2 ** 31)),
      duplicates: Uint32Array.from(duplicates),
      nodeCount,
      nodeObjects: Uint32Array.from(nodeObjects),
      parentStarts: Uint32Array.from(parentStarts),
      parents: Uint32Array.from(parents),
      nodeTrees: Uint32Array.from({ length: nodeCount }, () =>
        next(5) === 0 || objects === 0 ? noObject : next(objects),
      ),
      dates: Uint32Array.from({ length: nodeCount }, () => next(2 ** 31)),
      listStarts: Uint32Array.from(listStarts),
      lists: Uint32Array.from(lists),
      nodeIds: Uint8Array.from({ length: nodeCount * 20 }, () => next(256)),
      nodesById: Uint32Array.from({ length: nodeCount }, (_, i) => i),
    };
  });

describe('graph file', () => {
  test.prop([graphs])('what was written is read back', async (graph) => {
    expect(await parseGraphFile(await writeGraphFile(graph, codec, work), codec, work)).toEqual(graph);
  });

  test.prop([graphs, fc.nat(), fc.integer({ min: 1, max: 255 })])(
    'a changed byte is noticed',
    async (graph, at, change) => {
      const file = await writeGraphFile(graph, codec, work);
      file[at % file.length] = (file[at % file.length] as number) ^ change;
      await expect(parseGraphFile(file, codec, work)).rejects.toThrow(GraphFileError);
    },
  );

  test.prop([graphs, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.nat(30)])(
    'wrong content under a right checksum never leads outside the tables',
    async (graph, at, change, cut) => {
      const file = await writeGraphFile(graph, codec, work);
      const body = file.subarray(0, Math.max(24, file.length - 20 - cut));
      body[24 + (at % Math.max(1, body.length - 24))] = (body[24 + (at % Math.max(1, body.length - 24))] ?? 0) ^ change;
      const signed = Buffer.concat([body, codec.sha1Of(body)]);
      try {
        const read = await parseGraphFile(signed, codec, work);
        const objects = read.count + read.ext.length / 20;
        for (const object of read.lists) expect(object).toBeLessThan(objects);
        for (const parent of read.parents) expect(parent).toBeLessThan(read.nodeCount + read.ext.length / 20);
      } catch (error) {
        expect(error).toBeInstanceOf(GraphFileError);
      }
    },
  );
});

it('reads and writes a large file in short stretches', async () => {
  const scheduler = new Scheduler();
  const nodeCount = 3000;
  const perNode = 500;
  const count = nodeCount * (1 + perNode);
  const graph: PackGraph = {
    ...madeGraph(1, chainOf('', nodeCount), count - nodeCount),
    nodeTrees: new Uint32Array(nodeCount).fill(noObject),
    listStarts: Uint32Array.from({ length: nodeCount + 1 }, (_, node) => node * perNode),
    // No two neighbours, so that nothing is a run.
    lists: Uint32Array.from({ length: nodeCount * perNode }, (_, i) => nodeCount + ((2 * i) % (count - nodeCount))),
  };
  const file = await writeGraphFile(graph, codec, scheduler.begin());
  expect((await parseGraphFile(file, codec, scheduler.begin())).lists).toEqual(graph.lists);
  expect(scheduler.totals[cost.entries]).toBeGreaterThan(8 * count);
  expect(scheduler.totals[cost.hashed]).toBeGreaterThanOrEqual(2 * (file.length - 20));
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
