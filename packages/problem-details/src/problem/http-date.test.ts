import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './http-date.ts';

const now = Date.UTC(2026, 10, 5, 7, 41, 12);
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A time in whole seconds, in a year of four digits. */
const second = fc
  .integer({ min: Date.parse('0000-01-01T00:00:00Z') / 1000, max: Date.parse('9999-12-31T23:59:59Z') / 1000 })
  .map((seconds) => seconds * 1000);

/** Formats a date in the preferred form of HTTP with the runtime. */
const fixdate = (ms: number): string => new Date(ms).toUTCString();

function rfc850(ms: number): string {
  const [, day = '', month = '', year = '', time = ''] = fixdate(ms).split(' ');
  return `${days[new Date(ms).getUTCDay()]}, ${day}-${month}-${year.slice(-2)} ${time} GMT`;
}

function asctime(ms: number): string {
  const [name = '', day = '', month = '', year = '', time = ''] = fixdate(ms).split(' ');
  return `${name.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}

describe('RFC 9110 §5.6.7: a date of HTTP', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the example %s',
    (text) => {
      expect(parseHttpDate(text, now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    },
  );

  it('is read in its preferred form', () => {
    fc.assert(
      fc.property(second, (ms) => {
        expect(parseHttpDate(fixdate(ms), now)).toBe(ms);
      }),
    );
  });

  it('is read in the form of asctime', () => {
    fc.assert(
      fc.property(second, (ms) => {
        expect(parseHttpDate(asctime(ms), now)).toBe(ms);
      }),
    );
  });

  it('is read in the form of RFC 850, unless the two digits name another year', () => {
    const years = 365.25 * 86_400_000;
    const near = fc.integer({ min: Math.ceil((now - 49 * years) / 1000), max: Math.floor((now + 49 * years) / 1000) });
    fc.assert(
      fc.property(near, (seconds) => {
        expect(parseHttpDate(rfc850(seconds * 1000), now)).toBe(seconds * 1000);
      }),
    );
  });

  it.each([
    ['Thursday, 05-Nov-76 07:41:12 GMT', Date.UTC(2076, 10, 5, 7, 41, 12)],
    ['Friday, 05-Nov-76 07:41:13 GMT', Date.UTC(1976, 10, 5, 7, 41, 13)],
    ['Friday, 31-Dec-99 23:59:59 GMT', Date.UTC(1999, 11, 31, 23, 59, 59)],
    ['Saturday, 01-Jan-00 00:00:00 GMT', Date.UTC(2000, 0, 1)],
    ['Tuesday, 29-Feb-00 00:00:00 GMT', Date.UTC(2000, 1, 29)],
  ])('treats a two-digit year more than 50 years ahead as past: %s', (text, ms) => {
    expect(parseHttpDate(text, now)).toBe(ms);
  });

  it('treats a two-digit year near the end of a century as in the next one', () => {
    expect(parseHttpDate('Monday, 05-Jan-05 00:00:00 GMT', Date.UTC(2098, 0, 1))).toBe(Date.UTC(2105, 0, 5));
  });

  it('lets a second be a leap second', () => {
    expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT', now)).toBe(Date.UTC(2017, 0, 1));
  });

  it('ignores the name of the day', () => {
    expect(parseHttpDate('Mon, 06 Nov 1994 08:49:37 GMT', now)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it.each([
    '',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun,06 Nov 1994 08:49:37 GMT',
    '06 Nov 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Sun, 29 Feb 1994 08:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 anF 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sunday, 29-Feb-95 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov 06 08:49:37 94',
    'Sun Nov  6 08:49:37 1994 GMT',
    '1994-11-06T08:49:37Z',
    '784111777',
    'Nov 6, 1994',
  ])('is not %j', (text) => {
    expect(parseHttpDate(text, now)).toBeUndefined();
  });
});
