import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { percentDecoded, utf8Text } from './percent.ts';

const bytes = (text: string): string => Buffer.from(percentDecoded(text)).toString('latin1');

describe('percent-encoded text', () => {
  it.each([
    ['', ''],
    ['a/b', 'a/b'],
    ['%61%2F%2f', 'a//'],
    ['%FF%00', '\xff\0'],
    ['%', '%'],
    ['%6', '%6'],
    ['%zz%4', '%zz%4'],
    ['%%41', '%A'],
    ['%2541', '%41'],
    ['+', '+'],
  ])('REPO-148: decodes %j to the bytes %j', (text, expected) => {
    expect(bytes(text)).toBe(expected);
  });

  test.prop([fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())])(
    'REPO-148: decodes the output of encodeURIComponent',
    (text) => {
      expect(utf8Text(percentDecoded(encodeURIComponent(text)))).toBe(text);
      // `URL` does not encode a percent sign, so the text must not have any.
      const { pathname } = new URL(`http://a/${text.replace(/[%?#\\]|^[\s\S]*\.{1,2}[\s\S]*$/g, 'x')}`);
      expect(utf8Text(percentDecoded(pathname))).toBeDefined();
    },
  );

  test.prop([fc.uint8Array({ maxLength: 40 })])('REPO-148: decodes any encoded bytes to themselves', (given) => {
    const encoded = Array.from(given, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    expect(Buffer.compare(percentDecoded(encoded), given)).toBe(0);
  });

  it('rejects bytes that are not UTF-8, and keeps a byte order mark', () => {
    expect(utf8Text(Buffer.of(0xff))).toBeUndefined();
    expect(utf8Text(Buffer.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA');
  });
});
