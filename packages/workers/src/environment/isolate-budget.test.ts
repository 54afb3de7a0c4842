import { expect, it } from 'vitest';
import { beyondBudget, isolateBudget } from './isolate-budget.ts';

it('LIM-059: tells what is beyond the budget of an isolate, and nothing of what is within', () => {
  const { bytesReserved, rangesInFlight } = isolateBudget;
  expect(beyondBudget({ event: 'request' })).toBeUndefined();
  expect(beyondBudget({ bytes_reserved: bytesReserved, ranges_in_flight: rangesInFlight })).toBeUndefined();
  expect(beyondBudget({ bytes_reserved: bytesReserved + 1 })).toContain('bytes');
  expect(beyondBudget({ ranges_in_flight: rangesInFlight + 1 })).toContain('ranges');
});
