import { describe, expect, it } from 'vitest';
import { fields, shown, table } from './print.ts';
import { plain, styleOf } from './style.ts';

const pipe = { style: plain, columns: undefined };

describe('table', () => {
  it('gives each column the width of its widest text, as a terminal shows it', () => {
    const rows = [
      ['环境', '生产', 'x'],
      ['e\u0301quipe', '😀', 'x'],
      ['カ', 'ﬁ', 'x'],
      ['𐐀', '한국어', 'x'],
      ['plain', '', 'x'],
    ];
    expect(table(['KEY', 'VALUE', 'X'], rows, 'none', pipe)).toBe(
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

  it('accepts any number of rows', () => {
    const rows = Array.from({ length: 300_000 }, (_, i) => [String(i)]);
    expect(table(['ID'], rows, 'none', pipe)).toMatch(/^ID\n0\n1\n[^]*\n299999\n$/);
  });
});

describe('table on a terminal', () => {
  const head = ['REPO', 'REMOTE'];
  const rows = [
    ['notes', 'http://127.0.0.1/notes.git'],
    ['环境', '-'],
  ];
  const style = styleOf({ env: {} }, true);

  it('has a bold head, and columns as long as they fit', () => {
    expect(table(head, rows, 'none', { style, columns: 33 })).toBe(
      '\x1b[1mREPO   REMOTE\x1b[22m\nnotes  http://127.0.0.1/notes.git\n环境   -\n',
    );
  });

  it('keeps cells whole where columns do not fit', () => {
    expect(table(head, rows, 'none', { style: plain, columns: 32 })).toBe(
      'REPO    notes\nREMOTE  http://127.0.0.1/notes.git\n\nREPO    环境\nREMOTE  -\n',
    );
  });
});

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, false, true],
] as const)('with %j and a terminal: %s, colour: %s', (env, isTerminal, hasColour) => {
  expect(styleOf({ env }, isTerminal)('red', 'error:')).toBe(hasColour ? '\x1b[31merror:\x1b[39m' : 'error:');
});

it('fields are aligned, regardless of the width of their names', () => {
  expect(
    fields([
      ['a', 1],
      ['环境', null],
    ]),
  ).toBe('a     1\n环境  -\n');
});

it('text of a service cannot move the cursor or reverse text', () => {
  expect(shown('a\x1b[2J\u202eb\u2066c\u009b')).toBe('a\uFFFD[2J\uFFFDb\uFFFDc\uFFFD');
  expect(shown('שלום 环境')).toBe('שלום 环境');
});
