import { expect, it } from 'vitest';
import { idOfName, madeSet } from '../graph/made-graph.test.util.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { Scheduler } from '../work/scheduler.ts';
import type { Leaning } from '../repository/visibility.ts';
import { commonHistory } from './common-history.ts';

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
