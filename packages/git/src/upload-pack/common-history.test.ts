import { expect, it } from 'vitest';
import { idOfName, madeSet } from '../graph/made-graph.test.util.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { commonHistory } from './common-history.ts';

it('GIT-064, GIT-065: a want reaches what is common only where no boundary of the client lies between', async () => {
  const parents = { old: [], base: ['old'], tip: ['base'], other: ['old'] };
  const set = await madeSet(Object.entries(parents).map(([name, list]) => ({ name, parents: list })));
  const node = (name: string): number => set.findNodeById(idOfName(name));
  const ready = (common: string, ...shallow: readonly string[]): boolean =>
    commonHistory(
      { set } as RepositoryView,
      { mayLeanOn: () => true } as unknown as Visibility,
      [node('tip')],
      shallow.map(node),
    ).isReady([node(common)]);
  expect(ready('old')).toBe(true);
  expect(ready('old', 'base')).toBe(false);
  expect(ready('old', 'other')).toBe(true);
  expect(ready('base', 'base')).toBe(true);
  expect(ready('tip', 'tip')).toBe(true);
});
