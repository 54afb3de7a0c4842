import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { GraphSet } from './graph-set.ts';
import { chainOf, idOfName, madeSet, type MadeNode } from './made-graph.test.util.ts';
import { Scheduler } from '../work/scheduler.ts';
import { goalsMax, reachedGoals } from './reach.ts';

const work = new Scheduler().begin();

/** Nodes `0` on, each with some older ones as parents. */
const histories: fc.Arbitrary<MadeNode[]> = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 40 })
  .map((nodes) =>
    nodes.map((parents, i) => ({
      name: String(i),
      parents: i === 0 ? [] : [...new Set(parents.map((parent) => String(parent % i)))],
    })),
  );

function reached(set: GraphSet, from: number): Set<number> {
  const found = new Set([from]);
  for (const node of found) {
    for (let i = set.parentStarts[node] as number; i < (set.parentStarts[node + 1] as number); i++) {
      found.add(set.parents[i] as number);
    }
  }
  return found;
}

test.prop([
  histories,
  fc.array(fc.nat(), { maxLength: 6 }),
  fc.array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: goalsMax, size: 'max' }),
])('returns the goals that each node reaches', async (nodes, from, goals) => {
  const set = await madeSet(nodes);
  const starts = from.map((node) => node % nodes.length);
  const ends = goals.map((goal) => goal.map((node) => node % nodes.length));
  const masks = await reachedGoals(work, set, starts, ends);
  starts.forEach((start, i) => {
    const all = reached(set, start);
    ends.forEach((goal, bit) => {
      expect((((masks[i] as number) >>> bit) & 1) === 1).toBe(goal.some((node) => all.has(node)));
    });
  });
});

it('GIT-064: visits a long history once for any number of nodes', async () => {
  const length = 100_000;
  const set = await madeSet([...chainOf('', length), { name: 'apart', parents: [] }]);
  const goal = set.findNodeById(idOfName('apart'));
  const { parents } = set;
  let looks = 0;
  const counted = {
    nodeCount: set.nodeCount,
    parentStarts: set.parentStarts,
    parents: new Proxy(parents, {
      get(target, name) {
        looks++;
        return Reflect.get(target, name) as unknown;
      },
    }),
  } as GraphSet;
  const everyone = Array.from({ length }, (_, node) => node);
  const masks = await reachedGoals(work, counted, everyone.toReversed(), [[goal], [0]]);
  expect(masks.every((mask) => mask === 2)).toBe(true);
  expect(looks).toBe(length - 1);
});

it('looks at nothing behind a node that reaches every goal', async () => {
  const set = await madeSet(chainOf('', 1000));
  const touched: string[] = [];
  const watched = {
    nodeCount: set.nodeCount,
    parentStarts: set.parentStarts,
    parents: new Proxy(set.parents, {
      get(target, name) {
        touched.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    }),
  } as GraphSet;
  expect([...(await reachedGoals(work, watched, [999], [[997]]))]).toEqual([1]);
  expect(touched).toHaveLength(2);
});
