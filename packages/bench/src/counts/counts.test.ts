import { expect, it } from 'vitest';
import { differences } from './compare.ts';
import { readBaseline } from './run-counts.ts';
import { countWorkloads } from './workloads.ts';

it('finds counts that differ by more than 5 %, and workloads that come or go', () => {
  const before = { push: { hashed: 1000, syncs: 2 }, gone: {} };
  expect(differences({ push: { hashed: 1050, syncs: 2 }, gone: {} }, before)).toEqual([]);
  expect(differences({ push: { hashed: 949, syncs: 3, rows: 1 }, new: {} }, before)).toEqual([
    'push: hashed was 1000, is 949',
    'push: syncs was 2, is 3',
    'push: rows was 0, is 1',
    'gone: is no longer measured',
    'new: is not in the baseline',
  ]);
});

it('costs are those of the baseline: `pnpm bench counts --write` changes it, for a reason that the commit gives', async () => {
  expect(differences(await countWorkloads(), await readBaseline())).toEqual([]);
});
