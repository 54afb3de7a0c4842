import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../work/scheduler.ts';
import type { DraftNodes } from './draft-nodes.ts';
import { listedNodes, takeNodes } from './listed-nodes.ts';

/** Lists as many nodes, with as many parents each. */
function listed(count: number, parents: number): ReturnType<typeof listedNodes> {
  const parentTrees = Array.from({ length: parents }, (_, i) => i);
  const drafts = {
    place: (node: number) => node,
    tree: (node: number) => node - 1,
    parentCount: () => parents,
    parentTrees: () => parentTrees,
  };
  const order = new Uint32Array(count).map((_, rank) => count - 1 - rank);
  const ranks = new Uint32Array(count).map((_, rank) => rank);
  return listedNodes(drafts as unknown as DraftNodes, order, ranks, new Scheduler().begin());
}

describe('GIT-195: nodes for another thread', () => {
  it('have the places, trees and parents of their drafts', async () => {
    expect(await listed(3, 2)).toEqual({
      places: Uint32Array.of(2, 1, 0),
      trees: Int32Array.of(1, 0, -1),
      parentStarts: Uint32Array.of(0, 2, 4, 6),
      parentTrees: Uint32Array.of(0, 1, 0, 1, 0, 1),
      next: new Int32Array(1),
    });
  });

  it.each([
    ['without parents', 699_000, 0],
    ['with one', 524_000, 1],
    ['with a thousand', 2_090, 1_000],
  ])('are at most 8 MiB %s', async (_, count, parents) => {
    expect((await listed(count, parents))?.places).toHaveLength(count);
    expect(await listed(Math.ceil(count * 1.005), parents)).toBeUndefined();
  });

  it('are taken once each, by two that take turns', () => {
    const nodes = { places: new Uint32Array(1_000), next: new Int32Array(1) };
    const [one, other] = [takeNodes(nodes), takeNodes(nodes)];
    const taken: number[] = [];
    for (let turn = 0; turn < 1_000; turn++) {
      for (const taking of [one, other]) {
        const next = taking.next();
        if (next.done !== true) taken.push(next.value);
      }
    }
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  });
});
