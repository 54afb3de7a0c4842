import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { objectIdAt, objectIdBytes, objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { Scheduler, type Work } from '../work/scheduler.ts';
import { GraphSet, type SetMember } from './graph-set.ts';
import { chainOf, extended, idOfName, madeGraph, madeRecord, madeSet, type MadeNode } from './made-graph.test.util.ts';
import { graphMemory } from './pack-graph.ts';
import type { SetPack } from './set-pack.ts';

const one: MadeNode = { name: 'one', parents: [], list: [0] };

describe('ids of nodes', () => {
  test.prop([fc.array(fc.array(fc.nat(60), { maxLength: 8 }), { maxLength: 30 })])(
    'are found in the oldest pack that has them, by every set of a line',
    async (packs) => {
      const sets = [GraphSet.empty()];
      for (const [i, names] of packs.entries()) {
        const nodes = [...new Set(names)].map((name) => ({ name: String(name), parents: [] }));
        sets.push(await extended(sets[i] as GraphSet, madeGraph(i + 1, nodes)));
      }
      // From the newest on, so that older sets read tables that know more than they do.
      for (const set of sets.toReversed()) {
        let nodeStart = 0;
        const expected = new Map<string, number>();
        for (const names of packs.slice(0, set.packs.length)) {
          const once = [...new Set(names)];
          once.forEach((name, i) => {
            if (!expected.has(String(name))) expected.set(String(name), nodeStart + i);
          });
          nodeStart += once.length;
        }
        for (let name = 0; name <= 60; name++) {
          expect(set.findNodeById(idOfName(String(name)))).toBe(expected.get(String(name)) ?? -1);
        }
      }
    },
  );

  it('are found over packs of many nodes', async () => {
    const packs = Array.from({ length: 12 }, (_, i) => chainOf(`${i}-`, 300));
    const set = await madeSet(...packs);
    for (const [i, nodes] of packs.entries()) {
      nodes.forEach(({ name }, node) => expect(set.findNodeById(idOfName(name))).toBe(300 * i + node));
    }
    expect(set.findNodeById(idOfName('none'))).toBe(-1);
  });
});

describe('sets that extend one', () => {
  it('may be the front of a longer one, which they then leave alone', async () => {
    const chain = (name: string, parent: string): MadeNode[] => [{ name, parents: [parent], list: [0] }];
    let long = await extended(GraphSet.empty(), madeGraph(1, [one], 1));
    for (const [i, name] of ['two', 'three'].entries())
      long = await extended(long, madeGraph(i + 2, chain(name, ['one', 'two'][i] as string), 1));
    expect([0, 1, 2].map((node) => long.introducers.hasIntroducer(2 * node + 1, Uint8Array.of(0, 1, 1), 1))).toEqual([
      false,
      true,
      true,
    ]);
    const front = long.front(1);
    expect([front.nodeCount, front.objectCount, front.findNodeById(idOfName('two'))]).toEqual([1, 2, -1]);
    expect(front.memory).toBeLessThan(long.memory);
    const other = await extended(front, madeGraph(2, chain('four', 'one'), 1));
    expect([...other.parents.subarray(other.parentStarts[1], other.parentStarts[2])]).toEqual([0]);
    expect([other.findNodeById(idOfName('four')), other.findNodeById(idOfName('two'))]).toEqual([1, -1]);
    expect(other.introducers.hasIntroducer(3, Uint8Array.of(0, 1), 1)).toBe(true);
    expect([long.findNodeById(idOfName('three')), long.findNodeById(idOfName('four'))]).toEqual([2, -1]);
    expect(long.front(0).objectCount).toBe(0);
  });

  it('find at home what a pack holds a second time, where the first has been collected', async () => {
    const graph = madeGraph(1, [{ name: 'one', parents: [], list: [1] }], 1);
    const gone = { ...graph, ext: objectIdToBytes(idOfName('gone')), duplicates: Uint32Array.of(1, 0) };
    const set = await extended(GraphSet.empty(), { ...gone, lists: Uint32Array.of(2) });
    const listed: number[] = [];
    for (const object of set.introduced(0)) listed.push(object);
    expect([listed, set.home(set.packs[0] as SetPack, 1)]).toEqual([[1], 1]);
  });

  it('do not see each other, also behind a pack without nodes', async () => {
    const base = await extended(GraphSet.empty(), madeGraph(1, [one], 1));
    const withoutNodes = await extended(base, madeGraph(2, [], 1));
    expect(withoutNodes.introducers.hasIntroducer(0, Uint8Array.of(1), 1)).toBe(true);
    const branch = await extended(base, madeGraph(2, [{ name: 'two', parents: ['one'], list: [0] }], 1));
    // Object 3 is the one that `two` introduces.
    expect(branch.introducers.hasIntroducer(3, Uint8Array.of(0, 1), 1)).toBe(true);
    expect(branch.introducers.hasIntroducer(3, Uint8Array.of(1, 0), 1)).toBe(false);
    const other = await extended(withoutNodes, madeGraph(3, [{ name: 'three', parents: ['one'] }]));
    expect(other.findNodeById(idOfName('two'))).toBe(-1);
    expect([...other.nodeObjects.subarray(0, other.nodeCount)]).toEqual([0, 3]);
  });

  it('are not harmed by one that cannot be', async () => {
    const base = await extended(GraphSet.empty(), madeGraph(1, [one]));
    const broken = madeGraph(2, [
      { name: 'two', parents: ['one'] },
      { name: 'three', parents: ['two', 'never stored'] },
    ]);
    await expect(extended(base, broken)).rejects.toThrow('names a parent that no older pack has');
    const set = await extended(base, madeGraph(2, [{ name: 'four', parents: ['one'] }]));
    expect([...set.parentStarts.subarray(0, set.nodeCount + 1)]).toEqual([0, 0, 1]);
    expect([...set.parents.subarray(0, 1)]).toEqual([0]);
  });
});

describe('GIT-157: objects that two packs hold', () => {
  /** Packs of blobs alone, by the names that each holds, and their indexes. */
  const held = [
    ['a', 'b'],
    ['b', 'c'],
    ['a', 'c', 'd'],
  ];
  const indexOf = (names: readonly string[]): PackIndex => {
    const ids = names.map(idOfName);
    return {
      count: ids.length,
      find: (from: Uint8Array, at: number) => ids.indexOf(objectIdAt(from, at)),
      copyId: (ordinal: number, to: Uint8Array, at: number) => to.set(objectIdToBytes(ids[ordinal] as ObjectId), at),
    } as unknown as PackIndex;
  };
  /** The set of these packs, and which of them were looked into for each. */
  const setOf = async (places: readonly (readonly [position: number, after: number])[]) => {
    let set = GraphSet.empty();
    const looked: number[][] = [];
    for (const [i, names] of held.entries()) {
      const [position, after] = places[i] as readonly [number, number];
      const asked: number[] = [];
      const record = madeRecord(i, { position, after });
      const member = { record, graph: madeGraph(i, [], names.length) };
      set = await set.with(
        member,
        async (pack) => {
          const number = Number.parseInt(pack.record.id, 16);
          asked.push(number);
          return indexOf(held[number] as readonly string[]);
        },
        new Scheduler().begin(),
      );
      looked.push(asked);
    }
    return { set, looked };
  };
  const homes = (set: GraphSet): number[][] =>
    set.packs.map((pack) => Array.from({ length: pack.graph.count }, (_, ordinal) => set.home(pack, ordinal)));

  it('have their home in the oldest, found in those between what a pack knew and itself', async () => {
    const { set, looked } = await setOf([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(homes(set)).toEqual([
      [0, 1],
      [1, 3],
      [0, 3, 6],
    ]);
    expect(looked).toEqual([[], [1, 0], [2, 0, 1]]);
  });

  it('are looked for in no pack that was known', async () => {
    const { set, looked } = await setOf([
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
    // As if the graph of the second named its duplicate, and the third knew of the first.
    expect(looked).toEqual([[], [], [2, 1]]);
    expect(homes(set)[2]).toEqual([4, 3, 6]);
  });

  it('are looked for in what took the place of packs of which only some were known', async () => {
    // The first stands for what was 1 to 4; the others came when 3, and when all of it, was known.
    const { set, looked } = await setOf([
      [4, 0],
      [5, 3],
      [7, 4],
    ]);
    expect(looked).toEqual([[], [1, 0], [2, 1]]);
    expect(homes(set)).toEqual([
      [0, 1],
      [1, 3],
      [4, 3, 6],
    ]);
  });
});

it('finds a million objects of older packs without looking at each again for each', async () => {
  const count = 1_000_000;
  const ext = new Uint8Array(count * objectIdBytes);
  const view = new DataView(ext.buffer);
  for (let i = 0; i < count; i++) view.setUint32(i * objectIdBytes, i);
  let asked = 0;
  const index = (parity: number): PackIndex =>
    ({
      count: 0,
      find: (ids: Uint8Array, at: number) => {
        asked++;
        const number = new DataView(ids.buffer).getUint32(at);
        return number % 2 === parity ? number >>> 1 : -1;
      },
    }) as unknown as PackIndex;
  const half = count / 2;
  let set = await extended(GraphSet.empty(), madeGraph(1, [], half));
  set = await extended(set, madeGraph(2, [], half));
  const [first, second] = set.packs;
  const graph = { ...madeGraph(3, []), ext };
  const indexOfPack = async ({ record }: SetMember): Promise<PackIndex> =>
    index(record.id === second!.record.id ? 1 : 0);
  const whole = await set.with({ record: { ...first!.record }, graph }, indexOfPack, new Scheduler().begin());
  const { extObjects } = whole.packs[2]!;
  expect(extObjects[6]).toBe(3);
  expect(extObjects[7]).toBe(half + 3);
  expect(asked).toBe(count + half);
});

it('weighs at least what its packs and tables take', async () => {
  const graphs = [madeGraph(1, chainOf('a', 1000)), madeGraph(2, [{ name: 'b', parents: ['a0', 'a999'] }], 5000)];
  let set = GraphSet.empty();
  for (const graph of graphs) set = await extended(set, graph);
  const tables = 4 * (3 * set.nodeCount + (set.parentStarts[set.nodeCount] as number) + set.objectCount);
  expect(set.memory).toBeGreaterThanOrEqual(graphs.reduce((sum, graph) => sum + graphMemory(graph), 0) + tables);
  const before = set.memory;
  expect(set.introducers.hasIntroducer(0, new Uint8Array(set.nodeCount).fill(1), 1)).toBe(true);
  expect(set.memory).toBeGreaterThanOrEqual(before);
});

it('builds its tables in short stretches, also by several requests at once', async () => {
  const names = (pack: number): MadeNode[] =>
    Array.from({ length: 4000 }, (_, i) => ({ name: `${pack} ${i}`, parents: [], list: [0, i] }));
  const packs = Array.from({ length: 12 }, (_, pack) => names(pack));
  let set = GraphSet.empty();
  for (const [i, nodes] of packs.entries()) set = await extended(set, madeGraph(i + 1, nodes, 4000));
  const eager: Work = { spend: () => true, yield: () => new Promise((resolve) => setImmediate(resolve)) };
  await Promise.all([
    set.loadNodes(eager),
    set.loadIntroducers(eager),
    set.loadIntroducers(eager),
    set.loadNodes(eager),
  ]);
  const [first, last] = [set.packs[0] as SetPack, set.packs[11] as SetPack];
  for (const { objectStart, nodeStart } of [first, last]) {
    const colours = new Uint8Array(set.nodeCount);
    expect(set.introducers.hasIntroducer(objectStart + 4000, colours, 1)).toBe(false);
    colours[nodeStart + 17] = 1;
    expect(set.introducers.hasIntroducer(objectStart + 4000, colours, 1)).toBe(true);
    expect(set.introducers.hasIntroducer(objectStart + 4017, colours, 1)).toBe(true);
    expect(set.introducers.hasIntroducer(objectStart + 4018, colours, 1)).toBe(false);
  }
  expect(set.findNodeById(idOfName('11 299'))).toBe(last.nodeStart + 299);
});
