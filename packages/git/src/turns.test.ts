import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTurns } from './turns.ts';

afterEach(() => vi.restoreAllMocks());

/** How often `due` is asked until it is. */
function asked(weight?: number): number {
  const turns = createTurns();
  for (let times = 1; ; times++) if (turns.due(weight)) return times;
}

describe('turns', () => {
  it('end by steps where the clock stands still, by fewer of those that weigh more', () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    expect([asked(), asked(32), asked(33), asked(5000)]).toEqual([4096, 128, 125, 1]);
  });

  it('look at the clock after 32 small steps, or after each large one', () => {
    const now = vi.spyOn(performance, 'now');
    const lateFrom = (weight: number): number => {
      now.mockReturnValue(0);
      const turns = createTurns();
      now.mockReturnValue(20);
      for (let times = 1; ; times++) if (turns.due(weight)) return times;
    };
    expect([lateFrom(1), lateFrom(8), lateFrom(32), lateFrom(100)]).toEqual([32, 4, 1, 1]);
  });

  it('begin anew when the others had their turn', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const turns = createTurns();
    expect(turns.due(4096)).toBe(true);
    await turns.pass();
    expect(turns.due(4095)).toBe(false);
    expect(turns.due(31)).toBe(false);
    expect(turns.due()).toBe(true);
  });
});
