import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTimestamp } from './timestamp.ts';

const firstMs = Date.parse('0000-01-01T00:00:00Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

describe('ERR-087: timestamp', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [999, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [Date.UTC(2026, 10, 5, 7, 41, 12, 999), '2026-11-05T07:41:12Z'],
    [Date.UTC(2024, 1, 29), '2024-02-29T00:00:00Z'],
    [lastMs, '9999-12-31T23:59:59Z'],
    [firstMs, '0000-01-01T00:00:00Z'],
  ])('%d is %s', (ms, text) => {
    expect(formatTimestamp(ms)).toBe(text);
  });

  it('is the whole second that contains the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: firstMs, max: lastMs }), (ms) => {
        const text = formatTimestamp(ms);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(Date.parse(text)).toBe(Math.floor(ms / 1000) * 1000);
      }),
    );
  });

  it.each([lastMs + 1, firstMs - 1, Number.NaN, Infinity, 9e15])('%d has no timestamp', (ms) => {
    expect(() => formatTimestamp(ms)).toThrow(RangeError);
  });
});
