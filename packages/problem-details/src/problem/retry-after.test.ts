import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const now = Date.UTC(2026, 10, 5, 7, 41, 12);
const longest = 2_147_483_647;

describe('ERR-084: a Retry-After from outside', () => {
  it('is digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^0{0,3}[0-9]{1,9}$/), (digits) => {
        expect(retryAfterSeconds(digits, now)).toBe(Number.parseInt(digits, 10));
      }),
    );
  });

  it('is a whole number of seconds', () => {
    fc.assert(
      fc.property(fc.nat(longest), (seconds) => {
        expect(retryAfterSeconds(seconds, now)).toBe(seconds);
      }),
    );
  });

  it.each([
    ['Thu, 05 Nov 2026 07:41:42 GMT', now, 30],
    ['Thursday, 05-Nov-26 07:41:42 GMT', now, 30],
    ['Thu Nov  5 07:41:42 2026', now, 30],
    ['Thu, 05 Nov 2026 07:41:42 GMT', now + 1, 30],
    ['Thu, 05 Nov 2026 07:41:42 GMT', now + 999, 30],
    ['Thu, 05 Nov 2026 07:41:42 GMT', now + 1000, 29],
    ['Thu, 05 Nov 2026 07:41:12 GMT', now, 0],
    ['Thu, 05 Nov 2026 07:41:12 GMT', now + 1, 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', now, 0],
  ])('is the date %s, seen at %d', (date, at, seconds) => {
    expect(retryAfterSeconds(date, at)).toBe(seconds);
  });

  it('is a date, rounded up to whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (ms) => {
        const seconds = retryAfterSeconds(new Date(now + ms), now) ?? Number.NaN;
        expect(Object.is(seconds, -0)).toBe(false);
        if (ms <= 0) expect(seconds).toBe(0);
        else expect(seconds * 1000 >= ms && (seconds - 1) * 1000 < ms).toBe(true);
      }),
    );
  });

  it.each([
    undefined,
    null,
    '',
    ' ',
    ' 30',
    '30 ',
    '+30',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '３０',
    '30s',
    '30, 60',
    'soon',
    '2026-11-05T07:41:42Z',
    -1,
    1.5,
    Number.NaN,
    Infinity,
    -Infinity,
    new Date(Number.NaN),
    true,
    ['30'],
    { getTime: (): number => 30 },
  ])('is ignored if it is %j', (value) => {
    expect(retryAfterSeconds(value as string, now)).toBeUndefined();
  });

  it('is ignored if it is a date and the clock is invalid', () => {
    expect(retryAfterSeconds(new Date(now), Number.NaN)).toBeUndefined();
    expect(retryAfterSeconds('Thu, 05 Nov 2026 07:41:42 GMT', Number.NaN)).toBeUndefined();
  });

  it('is 0 if it is -0', () => {
    expect(retryAfterSeconds(-0, now)).toBe(0);
  });

  it('any value gives whole seconds within the limits, or is ignored', () => {
    const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789 -.:GMTNov') }), fc.double());
    fc.assert(
      fc.property(value, (value) => {
        const seconds = retryAfterSeconds(value, now);
        if (seconds === undefined) return;
        expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= longest).toBe(true);
        expect(typeof value === 'number' || /^\d+$|^\w{3,9},? .*\d$|GMT$/.test(value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('ERR-152: a Retry-After from outside is limited to 2,147,483,647 seconds', () => {
  it.each([
    '2147483647',
    '2147483648',
    '9'.repeat(400),
    2_147_483_648,
    Number.MAX_VALUE,
    'Fri, 31 Dec 9999 23:59:59 GMT',
    new Date(8.64e15),
  ])('%s', (value) => {
    expect(retryAfterSeconds(value, now)).toBe(longest);
  });

  it('keeps one second less', () => {
    expect(retryAfterSeconds('2147483646', now)).toBe(longest - 1);
  });
});
