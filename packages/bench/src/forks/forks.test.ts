import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storedBytes } from '../servers/stored-bytes.ts';
import { parseForksOptions } from './options.ts';
import { renderForks } from './table.ts';

it('the command line has defaults and accepts every option', () => {
  expect(parseForksOptions([])).toEqual({
    sizes: [1_000, 10_000, 100_000],
    rounds: 5,
    runtimes: ['node', 'workerd', 'deno', 'bun'],
    out: undefined,
    help: false,
  });
  const args = ['--sizes', '600,700', '--rounds', '2', '--runtimes', 'bun,node', '--out', 'x.json', '--help'];
  expect(parseForksOptions(args)).toEqual({
    sizes: [600, 700],
    rounds: 2,
    runtimes: ['bun', 'node'],
    out: 'x.json',
    help: true,
  });
});

it.each([
  ['--sizes', '100'],
  ['--sizes', '2000,1000'],
  ['--sizes', 'many'],
  ['--rounds', '0'],
  ['--runtimes', 'perl'],
  ['--repo', 'x'],
])('the command line refuses %s %s', (...args) => {
  expect(() => parseForksOptions(args)).toThrow(args[0]);
});

it('the table shows times, their ratio to the smallest, and bytes', () => {
  const text = renderForks({
    rounds: 3,
    objects: [1_000, 10_000],
    rows: [
      { name: 'node', samples: [[10], [12, 15, 11]], addedBytes: 0 },
      { name: 'git', samples: [[20], [60]], addedBytes: null },
    ],
  });
  expect(text.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['ms', '1000 objects', '10000 objects', '10000 to least', 'bytes added'],
    ['node', '10.0', '12.0 (11.0-15.0)', '1.20', '0'],
    ['git', '20.0', '60.0', '3.00', '-'],
  ]);
});

it('a file counts once, even with several names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-bench-bytes-'));
  try {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    writeFileSync(join(folder, 'a', 'one'), 'x'.repeat(10_000));
    linkSync(join(folder, 'a', 'one'), join(folder, 'a', 'b', 'other'));
    expect(storedBytes(folder)).toBe(10_000);
    writeFileSync(join(folder, 'a', 'b', 'two'), 'yy');
    expect(storedBytes(folder)).toBe(10_002);
    expect(storedBytes(join(folder, 'none'))).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
