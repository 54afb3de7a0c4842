import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { showLine, shownMax } from './shown-line.ts';

describe('showLine', () => {
  const character = fc.constantFrom('a', 'ä', '€', '😀');
  const part = fc.string({ unit: character, maxLength: 900 });

  test.prop([part, fc.string({ unit: character, minLength: 1, maxLength: 900 }), part])(
    'LIM-038: shows whole characters around the match, and its place in them',
    (before, literal, after) => {
      const line = `${before}${literal}${after}`;
      const text = Buffer.from(`first\n${line}\nlast`);
      const start = 6 + Buffer.byteLength(before);
      const shown = showLine(text, { start, end: start + Buffer.byteLength(literal) });
      const isClipped = Buffer.byteLength(line) > shownMax;
      expect(shown.isClipped).toBe(isClipped);
      expect(shown.column).toBe(start - 5);
      expect(line).toContain(shown.text);
      if (!isClipped) expect(shown.text).toBe(line);
      expect(Buffer.byteLength(shown.text)).toBeLessThanOrEqual(shownMax + 3);
      expect(Buffer.byteLength(shown.text)).toBeGreaterThanOrEqual(Math.min(Buffer.byteLength(line), shownMax - 3));
      const match = shown.text.slice(shown.start, shown.end);
      expect(match.length).toBeGreaterThan(0);
      expect(literal.startsWith(match)).toBe(true);
      if (shown.end < shown.text.length) expect(match).toBe(literal);
    },
  );

  test('shows bytes that are not UTF-8 as U+FFFD', () => {
    const text = Buffer.from('\xffa \xe9 foo\xc3\n', 'latin1');
    expect(showLine(text, { start: 5, end: 8 })).toEqual({
      column: 6,
      text: '\uFFFDa \uFFFD foo\uFFFD',
      start: 5,
      end: 8,
      isClipped: false,
    });
  });
});
