import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { GraphSet } from '../graph/graph-set.ts';
import { chainOf, idOfName, madeSet } from '../graph/made-graph.test.util.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { ObjectId } from '../object/object-id.ts';
import { Scheduler, type Work } from '../work/scheduler.ts';
import { ForwardTest, type Move } from './forward.ts';

/** New nodes of a push with these references to parents. */
function newNodes(parents: readonly (readonly number[])[]): {
  count: number;
  parentsOf: (node: number) => Int32Array;
  asked: number;
} {
  const nodes = {
    count: parents.length,
    asked: 0,
    parentsOf(node: number) {
      nodes.asked++;
      return Int32Array.from(parents[node] as readonly number[]);
    },
  };
  return nodes;
}

test.prop([
  fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 1, maxLength: 50 }),
  fc.nat(),
  fc.array(fc.nat(), { maxLength: 5 }),
  fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 100 }),
])('GIT-126: a move is forward if the new value reaches the old one', async (shape, cut, borders, pairs) => {
  const history = shape.map((parents, i) => (i === 0 ? [] : parents.map((parent) => parent % i)));
  const stored = 1 + (cut % history.length);
  const made = history.slice(0, stored).map((parents, i) => ({ name: String(i), parents: parents.map(String) }));
  const starts = [0, ...borders.map((border) => border % stored).sort((a, b) => a - b)];
  // In a pack children mostly stand before their parents.
  const set = await madeSet(...starts.map((start, i) => made.slice(start, starts[i + 1]).toReversed()));
  const reference = (node: number): number =>
    node < stored ? -1 - set.findNodeById(idOfName(String(node))) : node - stored;
  const nodes = newNodes(history.slice(stored).map((parents) => parents.map(reference)));
  const moves = pairs.map(([old, value]) => [old % stored, value % history.length] as const);
  const forward = new ForwardTest(set, nodes);
  const move = ([old, value]: readonly [number, number]): Move => ({
    old: idOfName(String(old)),
    value: reference(value),
  });
  await forward.prepare(moves.map(move), new Scheduler().begin());
  for (const pair of moves) {
    const reached = new Set([pair[1]]);
    for (const node of reached) for (const parent of history[node] ?? []) reached.add(parent);
    const { old, value } = move(pair);
    expect(forward.isForward(old, value)).toBe(reached.has(pair[0]));
  }
  expect(forward.isForward(idOfName('unknown'), reference(0))).toBe(false);
});

it('GIT-126: 10,000 moves over a long history take a pass for every 32, and the new nodes are read once', async () => {
  const moves = 10_000;
  const set = await madeSet([...chainOf('old', moves), { name: 'base', parents: [] }]);
  const base = -1 - set.findNodeById(idOfName('base'));
  const nodes = newNodes(Array.from({ length: 5000 }, (_, i) => [i === 0 ? base : i - 1]));
  const forward = new ForwardTest(set, nodes);
  let passes = 0;
  // Counts as if each pass, and the tables of the push, needed no yield.
  const work: Work = { spend: () => ++passes === 0, yield: async () => undefined };
  const list = Array.from({ length: moves }, (_, i) => ({ old: idOfName(`old${i}`), value: i % 5000 }));
  await forward.prepare(list, work);
  await forward.prepare(list, work);
  expect(passes).toBe(1 + 2 * Math.ceil(moves / 32));
  expect(list.some(({ old, value }) => forward.isForward(old, value))).toBe(false);
  expect(nodes.asked).toBe(5000);
});

/** Tests if each value leads to the old one of that name. */
async function answers(forward: ForwardTest, ...moves: readonly (readonly [string, number])[]): Promise<boolean[]> {
  const list = moves.map(([name, value]) => ({ old: idOfName(name), value }));
  await forward.prepare(list, new Scheduler().begin());
  return list.map(({ old, value }) => forward.isForward(old, value));
}

/** A set that counts how often parents of its nodes are looked at. */
function counted(set: GraphSet): { readonly set: GraphSet; looks: number } {
  const count = { set, looks: 0 };
  const parents = new Proxy(set.parents, {
    get(target, name) {
      count.looks++;
      return Reflect.get(target, name) as unknown;
    },
  });
  const { nodeCount, parentStarts } = set;
  const findNodeById = (id: ObjectId): number => set.findNodeById(id);
  const packOfNode = (node: number): SetPack => set.packOfNode(node);
  return Object.assign(count, { set: { nodeCount, parentStarts, parents, findNodeById, packOfNode } as GraphSet });
}

describe('what it costs to tell', () => {
  const length = 10_000;

  it('looks at no stored history where a push leads to the old value', async () => {
    const found = counted(await madeSet(chainOf('c', length)));
    const tip = -length;
    // A merge of what was made on an old commit, into the branch and the other way round.
    const nodes = newNodes([[-1 - 5], [0, tip], [tip, 0]]);
    const forward = new ForwardTest(found.set, nodes);
    expect(await answers(forward, [`c${length - 1}`, 1], [`c${length - 1}`, 2])).toEqual([true, true]);
    expect(found.looks).toBe(0);
  });

  it('goes no further down than to the pack of the old value', async () => {
    const found = counted(await madeSet(chainOf('c', length), [{ name: 'new', parents: [`c${length - 1}`] }]));
    const forward = new ForwardTest(found.set, newNodes([]));
    expect(await answers(forward, ['new', -length])).toEqual([false]);
    expect(found.looks).toBe(0);
    expect(await answers(forward, ['c0', -length])).toEqual([true]);
    expect(found.looks).toBe(length - 1);
  });

  it('takes what it may not look for as not forward', async () => {
    const set = await madeSet(chainOf('c', 100));
    const moves = Array.from({ length: 99 }, (_, i) => ({ old: idOfName(`c${i}`), value: -100 }));
    const forward = new ForwardTest(set, newNodes([]));
    await forward.prepare(moves, new Scheduler().begin(), 1);
    expect(moves.filter(({ old, value }) => forward.isForward(old, value))).toHaveLength(32);
  });
});

it('GIT-126: a commit may have any number of parents', async () => {
  const set = await madeSet(chainOf('c', 3));
  const forward = new ForwardTest(set, newNodes([Array.from({ length: 200_000 }, () => -2)]));
  expect(await answers(forward, ['c1', 0], ['c2', 0])).toEqual([true, false]);
});
