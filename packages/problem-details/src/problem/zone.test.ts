import { domainToASCII } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { zoneOf } from './zone.ts';

const asciiLabel = fc.stringMatching(/^[A-Za-z0-9_-]{1,63}$/);
const asciiHost = fc.array(asciiLabel, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
const port = fc.oneof(
  fc.constant(''),
  fc.constant(':'),
  fc.nat(65_535).map((number) => `:${number}`),
);
const finalDot = fc.constantFrom('', '.');

/** Names that may have several spellings, with their ASCII form by another implementation. */
const internationalHost = fc
  .array(fc.stringMatching(/^[a-z0-9äöüßéñçøåñ例え中文ελδаяж한글]{1,12}$/), { minLength: 1, maxLength: 4 })
  .map((labels) => labels.join('.'))
  .filter((host) => /[^\0-\x7F]/.test(host) && domainToASCII(host) !== '');

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('ERR-088: zone is the host name of the request', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['Shop.EXAMPLE:8443', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['shop.example.:80', 'shop.example'],
    ['shop.example:', 'shop.example'],
    ['localhost', 'localhost'],
    ['2shop.example', '2shop.example'],
    ['my_shop.example', 'my_shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example:443', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['192.0.2.7:8080', '192.0.2.7'],
    ['[2001:db8::1]', '[2001:db8::1]'],
    ['[2001:DB8:0:0::1]:8443', '[2001:db8::1]'],
    ['[::ffff:192.0.2.7]', '[::ffff:c000:207]'],
  ])('%s gives %s', (host, zone) => {
    expect(zoneOf(host)).toBe(zone);
  });

  it('keeps lower-case ASCII names, without port and final dot', () => {
    fc.assert(
      fc.property(asciiHost, finalDot, port, (host, dot, port) => {
        expect(zoneOf(host + dot + port)).toBe(host.length <= 253 ? host.toLowerCase() : '');
      }),
    );
  });

  it('converts international names to ASCII, even if the header has one character per byte', () => {
    fc.assert(
      fc.property(internationalHost, finalDot, port, (host, dot, port) => {
        const ascii = domainToASCII(host);
        expect(zoneOf(host + dot + port)).toBe(ascii);
        expect(zoneOf(latin1(host) + dot + port)).toBe(ascii);
      }),
    );
  });

  it('normalises IPv6 addresses in brackets', () => {
    fc.assert(
      fc.property(fc.ipV6(), port, (address, port) => {
        const zone = zoneOf(`[${address.toUpperCase()}]${port}`);
        expect(zone).toMatch(/^\[[0-9a-f:]+\]$/);
        expect(zone).toBe(new URL(`http://[${address}]`).hostname);
      }),
    );
  });

  it('a zone maps to itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          asciiHost,
          internationalHost,
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (host) => {
          expect(zoneOf(zoneOf(host))).toBe(zoneOf(host));
        },
      ),
    );
  });
});

describe('ERR-089: other text gives an empty zone', () => {
  it.each([
    [undefined],
    [null],
    [''],
    ['.'],
    ['..'],
    ['a..b'],
    ['.a'],
    ['a..'],
    [' a'],
    ['a b'],
    ['a\tb'],
    ['a\nb'],
    ['a/b'],
    ['a\\b'],
    ['a?b'],
    ['a#b'],
    ['a%41'],
    ['user@shop.example'],
    ['ü@shop.example'],
    ['ü/shop.example'],
    ['ü%2f'],
    ['a:80:80'],
    ['a:x'],
    ['a:-1'],
    [':80'],
    ['::1'],
    ['[::1'],
    ['::1]'],
    ['[]'],
    ['[::1]a'],
    ['[::1].'],
    ['[::1%25eth0]'],
    ['[::12345]'],
    ['[1:2:3]'],
    ['[192.0.2.7]'],
    ['[v1.a]'],
    ['"shop.example"'],
    ['<script>'],
    ['\uD800.example'],
    ['a\u200B\u2044b\uFFFD'],
    [`${'a'.repeat(64)}.example`],
  ])('%j', (host) => {
    expect(zoneOf(host)).toBe('');
  });

  it('returns one of the three forms or an empty text for any text', () => {
    const pieces = fc.constantFrom(
      'a',
      'Z',
      '0',
      '.',
      ':',
      '[',
      ']',
      '-',
      '_',
      '@',
      '/',
      '%',
      'ü',
      '。',
      '１',
      ' ',
      '::1',
    );
    const mixed = fc.array(pieces, { maxLength: 12 }).map((found) => found.join(''));
    fc.assert(
      fc.property(fc.oneof(mixed, fc.string({ unit: 'binary' })), (host) => {
        expect(zoneOf(host)).toMatch(/^(?:|\[[0-9a-f:]+\]|[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*)$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('ERR-153: a host name has at most 253 characters', () => {
  const longest = `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(61);

  it('reads 253, with an additional final dot and port', () => {
    expect(longest).toHaveLength(253);
    expect(zoneOf(longest)).toBe(longest);
    expect(zoneOf(`${longest}.:65535`)).toBe(longest);
  });

  it('does not read 254', () => {
    expect(zoneOf(`${longest}b`)).toBe('');
  });

  it('counts the ASCII form', () => {
    const label = 'ü'.repeat(50);
    expect(domainToASCII(label).length).toBeGreaterThan(50);
    expect(zoneOf(Array(4).fill(label).join('.'))).toHaveLength(domainToASCII(label).length * 4 + 3);
    expect(zoneOf(Array(5).fill(label).join('.'))).toBe('');
  });

  it('does not parse an endless text', () => {
    const look = vi.spyOn(RegExp.prototype, 'exec');
    const zone = zoneOf('ü'.repeat(1_000_000));
    const looks = look.mock.calls.length;
    look.mockRestore();
    expect([zone, looks]).toEqual(['', 0]);
  });
});
