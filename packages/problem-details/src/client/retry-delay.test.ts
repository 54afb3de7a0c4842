import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../catalogue/built-in.ts';
import { neutral } from '../dialect/neutral.ts';
import { describeError } from '../problem/describe.ts';
import type { PlatformProblem } from '../problem/problem.ts';
import { parseProblem } from './parse-problem.ts';
import { retryDelay } from './retry-delay.ts';

const now = Date.UTC(2026, 10, 5, 7, 41, 12);
const clock = (): number => now;

function problemOf(code: number, retryAfter?: number): PlatformProblem {
  const entry = builtInEntries.find((one) => one.code === code);
  if (entry === undefined) throw new Error(`no code ${code}`);
  const occurrence = { rayId: '9184027733651048', now, zone: 'shop.example', retryAfter };
  return describeError(entry, occurrence, { dialect: neutral, docsBase: 'https://docs.example' }).problem;
}

const least = { random: () => 0 };
const most = { random: () => 1 - Number.EPSILON };

describe('retryDelay', () => {
  it('ERR-049: waits at least as long as the server asks', () => {
    expect(retryDelay(problemOf(1015), 1, least)).toBe(30_000);
    expect(retryDelay(problemOf(1015, 10), 1, least)).toBe(10_000);
    expect(retryDelay(problemOf(1015, 0), 1, least)).toBe(0);
  });

  it('adds a random part whose bound doubles with each attempt', () => {
    const bounds = [1, 2, 3, 4].map((attempt) => Number(retryDelay(problemOf(1015, 0), attempt, most)) + 1);
    expect(bounds).toEqual([1000, 2000, 4000, 8000]);
    expect(retryDelay(problemOf(1015, 10), 3, { ...most, base: 100 })).toBe(10_399);
  });

  it('ERR-012: does not retry an error that is not retryable', () => {
    for (const { code, retryable } of builtInEntries) {
      expect(retryDelay(problemOf(code), 1) !== undefined, String(code)).toBe(retryable);
    }
    expect(retryDelay(problemOf(1020), 1, { retryAfter: '1' })).toBeUndefined();
  });

  it('does not retry other problems than platform errors', () => {
    expect(retryDelay(undefined, 1)).toBeUndefined();
    expect(retryDelay({ type: 'about:blank', status: 503, retryable: true, retry_after: 1 }, 1)).toBeUndefined();
  });

  it('gives up after the attempts', () => {
    expect(retryDelay(problemOf(500), 4)).toBeDefined();
    expect(retryDelay(problemOf(500), 5)).toBeUndefined();
    expect(retryDelay(problemOf(500), 1, { attempts: 1 })).toBeUndefined();
    expect(retryDelay(problemOf(500), 1e9, { attempts: Infinity })).toBeDefined();
    expect(retryDelay(problemOf(500), Number.NaN)).toBeUndefined();
  });

  it('returns a valid wait after any number of failed requests', () => {
    expect(retryDelay(problemOf(500, 1), 5000, { ...most, attempts: Infinity, base: 0 })).toBe(1000);
    expect(retryDelay(problemOf(500, 1), 5000, { ...most, attempts: Infinity, cap: 9000 })).toBe(8999);
  });

  it.each([{ base: -1 }, { base: Number.NaN }, { cap: -1 }, { cap: Number.NaN }])('refuses %j', (options) => {
    expect(() => retryDelay(problemOf(500), 1, options)).toThrow(RangeError);
  });

  it('gives up rather than retry before the server allows', () => {
    expect(retryDelay(problemOf(1015, 300), 1, most)).toBe(300_000);
    expect(retryDelay(problemOf(1015, 301), 1)).toBeUndefined();
    expect(retryDelay(problemOf(1015), 1, { cap: 20_000 })).toBeUndefined();
    expect(retryDelay(problemOf(1015, 2_147_483_647), 1, { cap: Infinity })).toBeUndefined();
  });

  it('ERR-083: uses a valid header, and else the body', () => {
    const problem = problemOf(1015);
    expect(retryDelay(problem, 1, { ...least, retryAfter: '7' })).toBe(7000);
    expect(retryDelay(problem, 1, { ...least, clock, retryAfter: 'Thu, 05 Nov 2026 07:41:20 GMT' })).toBe(8000);
    for (const retryAfter of [null, '', 'soon', '-1', '1.5']) {
      expect(retryDelay(problem, 1, { ...least, retryAfter })).toBe(30_000);
    }
  });

  it('backs off on its own if a retryable error has no wait', () => {
    const { retry_after: _, ...problem } = problemOf(1015);
    expect(retryDelay(problem, 1, most)).toBe(999);
  });

  test.prop([
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: -5, max: 2000 }),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 3_000_000_000 }),
  ])('never retries too soon, and never waits longer than the cap', (asked, attempt, chance, base, cap) => {
    const delay = retryDelay(problemOf(1015, asked), attempt, { attempts: 1000, base, cap, random: () => chance });
    expect(delay === undefined).toBe(attempt >= 1000 || asked * 1000 > cap);
    if (delay === undefined) return;
    expect(Number.isInteger(delay)).toBe(true);
    expect(delay).toBeGreaterThanOrEqual(asked * 1000);
    expect(delay).toBeLessThanOrEqual(Math.min(cap, 2_147_483_647));
  });

  test.prop([fc.jsonValue(), fc.double()])('accepts any value without throwing', (value, attempt) => {
    expect(retryDelay(value, attempt)).toBeUndefined();
  });

  it('does what the README shows', async () => {
    const waits: number[] = [];
    const replies = [problemOf(1015, 2), problemOf(500, 1), undefined].map((problem) =>
      problem === undefined
        ? new Response('done')
        : Response.json(problem, { status: problem.status, headers: { 'Retry-After': String(problem.retry_after) } }),
    );
    const fetch = (): Promise<Response> => Promise.resolve(replies.shift() ?? Response.error());
    const sleep = (ms: number): void => void waits.push(ms);

    async function patient(): Promise<Response> {
      for (let attempt = 1; ; attempt++) {
        const response = await fetch();
        const retryAfter = response.headers.get('Retry-After');
        const wait = retryDelay(await parseProblem(response), attempt, { ...least, retryAfter });
        if (wait === undefined) return response;
        sleep(wait);
      }
    }

    expect(await (await patient()).text()).toBe('done');
    expect(waits).toEqual([2000, 1000]);
  });
});
