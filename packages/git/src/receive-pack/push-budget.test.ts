import { expect, it } from 'vitest';
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

it('LIM-070: bounds the graph of a push by the setting, or by the bytes received', () => {
  const budget = new PushBudget(rules);
  budget.checkGraph(50);
  expect(() => budget.checkGraph(51)).toThrow('history too large: graph of 51 bytes, limit 50 (push_graph_max)');
  budget.receive(20);
  budget.checkGraph(80);
  expect(() => budget.checkGraph(81)).toThrow('limit 80');
});
