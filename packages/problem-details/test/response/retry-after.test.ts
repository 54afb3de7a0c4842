import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { ErrorDetails } from '../../src/response/error-input.ts';
import { ownEntry, problemOf, requestForJson } from './responses.ts';

const now = Date.UTC(2026, 10, 21, 6, 0, 0);
const errors = createPlatformErrors({ clock: () => now + 1, ownCodes: [ownEntry], ownCategories: ['x_kitchen'] });

/** Returns the wait in the header and in the member, which must agree. */
const waits = async (
  retryAfter: ErrorDetails['retryAfter'],
  pending?: string,
  code = 1015,
): Promise<number | undefined> => {
  const headers = pending === undefined ? undefined : new Headers({ 'retry-after': pending });
  const response = await errors.respond(requestForJson(), { code, retryAfter }, headers);
  const { retry_after } = await problemOf(response);
  expect(response.headers.get('retry-after')).toBe(retry_after === undefined ? null : String(retry_after));
  return retry_after;
};

describe('how long to wait', () => {
  it('ERR-082: comes from the error, else from the previous header, else from the default', async () => {
    expect(await waits(7, '8')).toBe(7);
    expect(await waits(undefined, '8')).toBe(8);
    expect(await waits(undefined)).toBe(30);
    expect(await waits(0, '8')).toBe(0);
    expect(await waits(7, undefined, 2000)).toBe(7);
    expect(await waits(undefined, undefined, 2000)).toBe(600);
  });

  it('ERR-081: is absent for a code that is not retryable', async () => {
    expect(await waits(7, '8', 1020)).toBeUndefined();
  });

  it('ERR-084: is digits or a date; other values are ignored', async () => {
    expect(await waits('007')).toBe(7);
    expect(await waits(new Date(now + 5000))).toBe(5);
    expect(await waits('Sat, 21 Nov 2026 06:00:09 GMT')).toBe(9);
    expect(await waits('Sat, 21 Nov 2026 05:00:00 GMT')).toBe(0);
    expect(await waits('99999999999999')).toBe(2_147_483_647);
    for (const other of ['soon', '-1', '1.5', '', '7 s', '7, 8', -1, 1.5, Number.NaN, new Date(Number.NaN)]) {
      expect(await waits(other)).toBe(30);
      expect(await waits(other, '8')).toBe(8);
      expect(await waits(undefined, String(other))).toBe(30);
    }
  });

  it('ERR-083: is the same in header and body, for any values', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.date({ noInvalidDate: false }),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.constant(undefined),
    );
    const code = fc.constantFrom(...errors.catalogue.entries.map((entry) => entry.code));
    const header = fc.option(fc.stringMatching(/^[!-~]{0,12}$/), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(value, header, code, async (given, pending, of) => {
        const seconds = await waits(given, pending, of);
        expect(seconds === undefined).toBe(errors.catalogue.get(of)?.retryable === false);
      }),
    );
  });
});
