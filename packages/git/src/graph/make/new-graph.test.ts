import { expect, it } from 'vitest';
import { objectIdBytes } from '../../object/object-id.ts';
import { sliceUnits } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { newPackGraph } from './new-graph.ts';
import type { NewNodes } from './push-walk.ts';

it('sorts what one commit introduces, with yields where that is much', async () => {
  const listed = 300_000;
  const count = 1 + listed;
  const copyId = (place: number, target: Uint8Array, at: number): void =>
    target.set(Uint8Array.of(place >>> 24, place >>> 16, place >>> 8, place), at);
  const subject = {
    packChecksum: new Uint8Array(objectIdBytes),
    count,
    kinds: new Uint8Array(count).fill(3),
    offsets: new Uint32Array(count + 1),
    bases: new Int32Array(count).fill(-1),
    sizes: new Uint32Array(count),
    home: (ordinal: number) => ordinal,
    copyId,
    copyNodeId: copyId,
  };
  const nodes: NewNodes = {
    count: 1,
    places: Uint32Array.of(0),
    trees: Int32Array.of(-1),
    parentsOf: () => new Int32Array(0),
    dates: Uint32Array.of(0),
    complete: Uint8Array.of(1),
    listStarts: Uint32Array.of(0),
    listEnds: Uint32Array.of(listed),
    lists: Uint32Array.from({ length: listed }, (_, i) => listed - i),
  };
  const scheduler = new Scheduler();
  const graph = await newPackGraph(subject, nodes, scheduler.begin());
  expect(graph.lists).toEqual(Uint32Array.from({ length: listed }, (_, i) => i + 1));
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});
