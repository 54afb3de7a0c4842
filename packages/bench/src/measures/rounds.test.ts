import { describe, expect, it } from 'vitest';
import { interleave, ratePerSecond } from './rounds.ts';

describe('rounds', () => {
  it('visit every contender once per round, in rotating order', async () => {
    const visits: string[] = [];
    const samples = await interleave([{ name: 'a' }, { name: 'b' }], 3, async ({ name }, round) => {
      visits.push(name);
      return round;
    });
    expect(visits.join('')).toBe('abbaab');
    expect(samples).toEqual({ a: [0, 1, 2], b: [0, 1, 2] });
  });

  it('run the requested number of actions, within the limit of concurrency', async () => {
    let running = 0;
    let most = 0;
    let ran = 0;
    await ratePerSecond(20, 4, async () => {
      most = Math.max(most, ++running);
      ran++;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    expect(ran).toBe(20);
    expect(most).toBe(4);
  });
});
