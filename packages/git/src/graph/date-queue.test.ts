import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { DateQueue } from './date-queue.ts';

describe('a queue of commits by date', () => {
  test.prop([fc.array(fc.oneof(fc.nat(4), fc.constant('take')))])(
    'REPO-265: gives the newest first, and of equal dates the first added',
    (steps) => {
      const dates: number[] = [];
      const queue = new DateQueue((node) => dates[node] as number);
      let model: number[] = [];
      for (const step of steps) {
        if (typeof step === 'number') {
          queue.add(dates.push(step) - 1);
          model.push(dates.length - 1);
          // The sort is stable.
          model.sort((a, b) => (dates[b] as number) - (dates[a] as number));
        } else {
          expect(queue.take()).toBe(model[0]);
          model = model.slice(1);
        }
        expect(queue.nodes()).toEqual(model);
        expect(queue.size).toBe(model.length);
      }
    },
  );
});
