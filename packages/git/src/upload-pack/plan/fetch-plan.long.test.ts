import { expect, it, vi } from 'vitest';
import { tagKind } from '../../object/kind.ts';
import { cost, sliceUnits } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { planFetch, type FetchRequestNodes } from './fetch-plan.ts';
import { GraphSet as Sets, type GraphSet } from '../../graph/graph-set.ts';
import { chainOf, extended, idOfName, madeGraph, madeSet, type MadeNode } from '../../graph/made-graph.test.util.ts';

const nothing: FetchRequestNodes = { wants: [], objects: [], common: [], tags: [] };
const node = (set: GraphSet, name: string): number => set.findNodeById(idOfName(name));

it('GIT-068: many refs to one long chain of tags are sent with it, and cost no more than the chain', async () => {
  const length = 50_000;
  const chain = chainOf('tag', length, tagKind).map((tag, i) => (i === 0 ? { ...tag, parents: ['commit'] } : tag));
  const set = await madeSet([{ name: 'commit', parents: [] }, ...chain]);
  const tip = node(set, `tag${length - 1}`);
  const tags = [...Array.from({ length: 50_000 }, () => tip), ...chain.map(({ name }) => node(set, name))];
  const commit = node(set, 'commit');
  const plan = await planFetch(set, { ...nothing, wants: [commit], tags }, new Scheduler().begin());
  expect(plan.objects).toHaveLength(length + 1);
  const without = await planFetch(
    set,
    { ...nothing, wants: [commit], common: [commit], tags },
    new Scheduler().begin(),
  );
  expect(without.objects).toHaveLength(0);
});

it('GIT-066: what has many introducers is asked for once, and what the client holds is left out', async () => {
  const commits: MadeNode[] = Array.from({ length: 3000 }, (_, i) => ({
    name: `c${i}`,
    parents: i === 0 ? [] : [`c${i - 1}`],
    list: [0, 1 + (i % 2)],
  }));
  const set = await extended(Sets.empty(), madeGraph(1, commits, 3));
  const asked = vi.spyOn(await set.loadIntroducers(new Scheduler().begin()), 'hasIntroducer');
  const request = { ...nothing, wants: [node(set, 'c2999')], common: [node(set, 'c0')] };
  const plan = await planFetch(set, request, new Scheduler().begin());
  // 2,999 commits and object 2, which `c0` does not introduce.
  expect(plan.objects).toHaveLength(3000);
  expect([...plan.objects].filter((object) => object >= 3000)).toEqual([3002]);
  expect(asked).toHaveBeenCalledTimes(2999 + 3);
});

it('counts what it goes through, and lets others have their turn', async () => {
  const list = Array.from({ length: 1000 }, (_, i) => i);
  const commits = chainOf('', 2000).map((commit) => ({ ...commit, list }));
  const set = await extended(Sets.empty(), madeGraph(1, commits, list.length));
  const scheduler = new Scheduler();
  const request = { ...nothing, wants: [1999], common: [0] };
  await planFetch(set, request, scheduler.begin());
  // Each list is looked at, and of each object every introducer.
  expect(scheduler.totals[cost.entries]).toBeGreaterThan(2000 * 1000 * 2);
  expect(scheduler.longestStretch).toBeLessThan(2 * sliceUnits);
});

it('lets others have their turn in one long chain of tags', async () => {
  const chain = chainOf('tag', 200_000, tagKind).map((tag, i) => (i === 0 ? { ...tag, parents: ['commit'] } : tag));
  const set = await madeSet([{ name: 'commit', parents: [] }, ...chain]);
  const scheduler = new Scheduler();
  const plan = await planFetch(set, { ...nothing, wants: [node(set, 'tag199999')] }, scheduler.begin());
  expect(plan.objects).toHaveLength(200_001);
  expect(scheduler.longestStretch).toBeLessThan(1.5 * sliceUnits);
});
