import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readKeySegment } from './key-segment.ts';

const key = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', '_', '.', '-', 'é', '环', '𐐀'),
  minLength: 1,
  maxLength: 256,
});

describe('the key in a path', () => {
  test.prop([key])('TAG-074: is percent-decoded', (given) => {
    expect(readKeySegment(encodeURIComponent(given))).toBe(given);
  });

  it('TAG-074: is decoded once', () => {
    expect(() => readKeySegment('a%2541')).toThrow('Invalid tag key');
    expect(readKeySegment('%61%C3%89')).toBe('aÉ');
  });

  it('TAG-074: keeps a "+", which makes the key invalid', () => {
    expect(() => readKeySegment('a+b')).toThrow(
      expect.objectContaining({ detail: 'key "a+b": a character other than letters, digits, "_", "." and "-"' }),
    );
  });

  it('TAG-158: is required', () => {
    expect(() => readKeySegment('')).toThrow(
      expect.objectContaining({ code: 1009, status: 400, message: 'tag_key is required', pointer: '/tag_key' }),
    );
  });

  it.each(['%FF', 'a%2Fb', '%', '%4', '%00', '%20', 'e%CC%81', '%ED%A0%80'])('TAG-181: %s is invalid', (segment) => {
    expect(() => readKeySegment(segment)).toThrow(
      expect.objectContaining({ code: 1014, pointer: '/tag_key', detail: expect.any(String) }),
    );
  });

  it('TAG-153: is checked for its length first', () => {
    expect(() => readKeySegment('!'.repeat(257))).toThrow(
      expect.objectContaining({ code: 1011, detail: `key "${'!'.repeat(64)}...": more than 256 characters` }),
    );
    expect(readKeySegment(encodeURIComponent('𐐀'.repeat(256)))).toHaveLength(512);
  });
});
