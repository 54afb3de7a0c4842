import { describe, expect, it } from 'vitest';
import { randomIds } from './ids.ts';

describe('randomIds', () => {
  it('REPO-047, TOKEN-002, REPO-007: ids have their forms and do not repeat', () => {
    const ids = Array.from({ length: 2000 }, () => randomIds.id());
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{16}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(randomIds.secret()).toMatch(/^[0-9a-f]{40}$/);
    expect(randomIds.secret()).not.toBe(randomIds.secret());
    expect(randomIds.requestId()).toMatch(/^[0-9a-f]{16}$/);
  });

  it('REPO-047: all characters are equally likely', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 9000; i++) for (const one of randomIds.id()) counts.set(one, (counts.get(one) ?? 0) + 1);
    const expected = (9000 * 16) / 36;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(36);
    // With 35 degrees of freedom, chance exceeds 120 once in 10^10 runs. Bytes modulo 36 would give about 250.
    expect(chiSquare).toBeLessThan(120);
  });
});
