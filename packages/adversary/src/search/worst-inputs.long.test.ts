import { describe, expect, it } from 'vitest';
import { countPlatform } from '../service/counting-platform.ts';
import { areaNamed } from './areas.ts';
import { evaluate } from './evaluate.ts';
import { brokenBounds, perByte } from './judge.ts';
import { worstInputs } from './worst-inputs.ts';

describe('the worst inputs that the search found', { timeout: 60_000 }, () => {
  it.each(worstInputs)('$title', async ({ area, values, unitsPerByte, memory, stored }) => {
    const session = await areaNamed(area).open();
    const stopCounting = countPlatform(session.service.asked);
    try {
      const outcome = await evaluate(area, session, values, false);
      expect(brokenBounds(outcome)).toEqual([]);
      expect(perByte(outcome, outcome.units)).toBeLessThan(unitsPerByte);
      expect(outcome.reserved).toBeLessThan(memory);
      expect(outcome.stored).toBeLessThan(stored);
    } finally {
      stopCounting();
      await session.service.close();
    }
  });
});
