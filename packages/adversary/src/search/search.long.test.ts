import { describe, expect, it } from 'vitest';
import { countPlatform } from '../service/counting-platform.ts';
import { areas } from './areas.ts';
import { Climb } from './climb.ts';
import { Dice } from './inputs/dice.ts';
import { smallEffort } from './inputs/effort.ts';
import { evaluate, type Outcome } from './evaluate.ts';
import { brokenBounds } from './judge.ts';
import { lineOf } from './report.ts';

const inputs = 100;
const seed = 20_261;

describe('a sample of the search for costly requests', { timeout: 60_000 }, () => {
  it.each(areas)('finds no large step, uncounted work or failure: $area.name', async ({ area, share }) => {
    const session = await area.open();
    const stopCounting = countPlatform(session.service.asked);
    const climb = new Climb(area, new Dice(seed));
    const outcomes: Outcome[] = [];
    try {
      for (let i = 0; i < inputs * share; i++) {
        const outcome = await evaluate(area.name, session, climb.next(smallEffort), false);
        climb.add(outcome);
        outcomes.push(outcome);
      }
    } finally {
      stopCounting();
      await session.service.close();
    }
    const faults = outcomes.flatMap((outcome) => brokenBounds(outcome).map((fault) => `${fault}: ${lineOf(outcome)}`));
    expect(faults).toEqual([]);
    // If all inputs were refused, the test would show nothing.
    expect(
      outcomes.some(({ answers }) => answers.length === 0 || answers.some((answer) => /^20[01]/.test(answer))),
    ).toBe(true);
  });
});
