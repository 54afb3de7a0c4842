import { expect, it } from 'vitest';
import { chainOf, idOfName, madeSet } from '../graph/made-graph.test.util.ts';
import { tagKind } from '../object/kind.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { Scheduler } from '../work/scheduler.ts';
import type { Leaning } from '../repository/visibility.ts';
import { commonHistory } from './common-history.ts';

it('counts the tags that lead to a want', async () => {
  const tags = 5_000;
  const set = await madeSet([
    { name: 'commit', parents: [] },
    ...chainOf('tag', tags, tagKind).map((tag, i) => (i === 0 ? { ...tag, parents: ['commit'] } : tag)),
  ]);
  const node = (name: string): number => set.findNodeById(idOfName(name));
  const scheduler = new Scheduler();
  const view = { set, work: scheduler.begin() } as RepositoryView;
  const leaning = { mayLeanOn: () => true } as unknown as Leaning;
  const history = commonHistory(view, leaning, [node(`tag${tags - 1}`)], []);
  expect(await history.isReady([node('commit')])).toBe(true);
  expect(scheduler.totals[cost.entries]).toBeGreaterThan(2 * tags);
});

it('GIT-064, GIT-065: a want reaches what is common only where no boundary of the client lies between', async () => {
  const parents = { old: [], base: ['old'], tip: ['base'], other: ['old'] };
  const set = await madeSet(Object.entries(parents).map(([name, list]) => ({ name, parents: list })));
  const node = (name: string): number => set.findNodeById(idOfName(name));
  const ready = (common: string, ...shallow: readonly string[]): boolean | Promise<boolean> =>
    commonHistory(
      { set, work: new Scheduler().begin() } as RepositoryView,
      { mayLeanOn: () => true } as unknown as Leaning,
      [node('tip')],
      shallow.map(node),
    ).isReady([node(common)]);
  expect(await ready('old')).toBe(true);
  expect(await ready('old', 'base')).toBe(false);
  expect(await ready('old', 'other')).toBe(true);
  expect(await ready('base', 'base')).toBe(true);
  expect(await ready('tip', 'tip')).toBe(true);
});
