import { expect, it } from 'vitest';
import { tagKind } from '../object/kind.ts';
import { createTurns, type Turns } from '../turns.ts';
import { planFetch, type FetchRequestNodes } from './fetch-plan.ts';
import type { GraphSet } from './graph-set.ts';
import { GraphSet as Sets } from './graph-set.ts';
import { chainOf, extended, idOfName, madeGraph, madeSet, type MadeNode } from './made-graph.test.util.ts';

const nothing: FetchRequestNodes = { wants: [], objects: [], common: [], tags: [] };
const node = (set: GraphSet, name: string): number => set.findNodeById(idOfName(name));

it('GIT-068: many refs to one long chain of tags are sent with it, and cost no more than the chain', async () => {
  const length = 50_000;
  const chain = chainOf('tag', length, tagKind).map((tag, i) => (i === 0 ? { ...tag, parents: ['commit'] } : tag));
  const set = await madeSet([{ name: 'commit', parents: [] }, ...chain]);
  const tip = node(set, `tag${length - 1}`);
  const tags = [...Array.from({ length: 50_000 }, () => tip), ...chain.map(({ name }) => node(set, name))];
  const commit = node(set, 'commit');
  const plan = await planFetch(set, { ...nothing, wants: [commit], tags }, createTurns());
  expect(plan.objects).toHaveLength(length + 1);
  const without = await planFetch(set, { ...nothing, wants: [commit], common: [commit], tags }, createTurns());
  expect(without.objects).toHaveLength(0);
});

it('GIT-066: what has many introducers is asked for once, and what the client holds is left out', async () => {
  const commits: MadeNode[] = Array.from({ length: 3000 }, (_, i) => ({
    name: `c${i}`,
    parents: i === 0 ? [] : [`c${i - 1}`],
    list: [0, 1 + (i % 2)],
  }));
  const set = await extended(Sets.empty(), madeGraph(1, commits, 3));
  let asked = 0;
  const { introducers } = set;
  const counted = new Proxy(set, {
    get(target, name) {
      if (name === 'introducers') {
        asked++;
        return introducers;
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  }) as GraphSet;
  const request = { ...nothing, wants: [node(set, 'c2999')], common: [node(set, 'c0')] };
  const plan = await planFetch(counted, request, createTurns());
  // 2,999 commits and object 2, which `c0` does not introduce.
  expect(plan.objects).toHaveLength(3000);
  expect([...plan.objects].filter((object) => object >= 3000)).toEqual([3002]);
  expect(asked).toBe(2999 + 3);
});

it('lets others have their turn', async () => {
  const set = await madeSet(chainOf('', 10_000));
  let [asked, passed] = [0, 0];
  const turns: Turns = {
    due: () => ++asked % 2 === 0,
    pass: async () => void passed++,
  };
  expect((await planFetch(set, { ...nothing, wants: [9999] }, turns)).objects).toHaveLength(10_000);
  expect([asked, passed]).toEqual([9, 4]);
});
