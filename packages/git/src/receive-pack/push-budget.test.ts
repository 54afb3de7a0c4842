import { expect, it } from 'vitest';
import type { PackRecord } from '../ports/repo-state.ts';
import { cost } from '../work/costs.ts';
import { PushBudget } from './push-budget.ts';

const rules = { inflatedMax: 1000, graphMax: 50, repoStorageMax: 0, accountStorageLeft: async () => 0 };

it('LIM-068: refuses a push once it has inflated and rebuilt more than the limit, and names the setting', () => {
  const budget = new PushBudget(rules);
  budget.spend(cost.inflated, 600);
  budget.spend(cost.hashed, 5000);
  budget.spend(cost.rebuilt, 400);
  expect(() => budget.spend(cost.rebuilt, 1)).toThrow(
    'push inflates to too much: 1001 bytes, limit 1000 (push_inflated_max)',
  );
});

it('LIM-068: lets a push of more bytes inflate to more', () => {
  const budget = new PushBudget(rules);
  budget.receive(10);
  budget.spend(cost.inflated, 2560);
  expect(() => budget.spend(cost.inflated, 1)).toThrow('limit 2560');
});

it('LIM-050, LIM-012: refuses what the repository or the account has no room for, and names the setting', async () => {
  const stored = [{ packSize: 60, idxSize: 20, graphSize: 10 }] as unknown as PackRecord[];
  const check = (repoStorageMax: number, left: number): Promise<void> =>
    new PushBudget({ ...rules, repoStorageMax, accountStorageLeft: async () => left }).checkStorage(stored, 10);
  await check(100, 10);
  await expect(check(99, 10)).rejects.toThrow('storage limit exceeded: 100 bytes, limit 99 (repo_storage_max)');
  await expect(check(100, 9)).rejects.toMatchObject({
    reason: 'storage limit exceeded: no room for 10 bytes more (account_storage_max)',
    commandReason: 'storage limit exceeded',
  });
});

it('LIM-070: bounds the graph of a push by the setting, or by the bytes received', () => {
  const budget = new PushBudget(rules);
  budget.checkGraph(50);
  expect(() => budget.checkGraph(51)).toThrow('history too large: graph of 51 bytes, limit 50 (push_graph_max)');
  budget.receive(20);
  budget.checkGraph(80);
  expect(() => budget.checkGraph(81)).toThrow('limit 80');
});
