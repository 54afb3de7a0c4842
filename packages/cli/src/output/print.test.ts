import { describe, expect, it } from 'vitest';
import { fields, shown, table } from './print.ts';

describe('table', () => {
  it('gives each column the width of its widest text, as a terminal shows it', () => {
    const rows = [
      ['环境', '生产', 'x'],
      ['e\u0301quipe', '😀', 'x'],
      ['カ', 'ﬁ', 'x'],
      ['𐐀', '한국어', 'x'],
      ['plain', '', 'x'],
    ];
    expect(table(['KEY', 'VALUE', 'X'], rows, 'none')).toBe(
      [
        'KEY     VALUE   X\n',
        '环境    生产    x\n',
        'e\u0301quipe  😀      x\n',
        'カ      ﬁ       x\n',
        '𐐀       한국어  x\n',
        'plain           x\n',
      ].join(''),
    );
  });

  it('takes as many rows as a list has', () => {
    const rows = Array.from({ length: 300_000 }, (_, i) => [String(i)]);
    expect(table(['ID'], rows, 'none')).toMatch(/^ID\n0\n1\n[^]*\n299999\n$/);
  });
});

it('fields stand in columns, whatever the width of their names', () => {
  expect(
    fields([
      ['a', 1],
      ['环境', null],
    ]),
  ).toBe('a     1\n环境  -\n');
});

it('what a service says moves nothing on the terminal, and turns no text around', () => {
  expect(shown('a\x1b[2J\u202eb\u2066c\u009b')).toBe('a\uFFFD[2J\uFFFDb\uFFFDc\uFFFD');
  expect(shown('שלום 环境')).toBe('שלום 环境');
});
