import { expect, it } from 'vitest';
import { parseLargeOptions } from './options.ts';
import { runLarge } from './run-large.ts';
import { renderLarge } from './table.ts';

it('the command line has defaults, accepts every option, and refuses others', () => {
  expect(parseLargeOptions([])).toEqual({
    objects: 1_000_000,
    commits: 1_000_000,
    refs: 100_000,
    repo: undefined,
    memory: 768,
    help: false,
  });
  const args = ['--objects', '1', '--commits', '2', '--refs', '3', '--repo', 'x', '--memory', '4', '--help'];
  const all = { objects: 1, commits: 2, refs: 3, repo: 'x', memory: 4, help: true };
  expect(parseLargeOptions(args)).toEqual(all);
  expect(() => parseLargeOptions(['--objects', 'many'])).toThrow('--objects');
});

it('a run pushes, clones and lists every repository, and measures each step', async () => {
  const options = { ...parseLargeOptions([]), objects: 100, commits: 100, refs: 200 };
  const rows = await runLarge(options, () => {});
  const steps = ['push everything', 'clone', 'clone --depth=1', 'clone --filter=blob:none', 'push one commit'];
  const all = [...steps, 'list one ref', 'log'];
  expect(rows.map(({ step }) => step)).toEqual(
    ['objects', 'commits', 'refs'].flatMap((name) => all.map((step) => `${name}: ${step}`)),
  );
  for (const { milliseconds, wait } of rows) expect(Math.min(milliseconds, wait)).toBeGreaterThan(0);
  expect(renderLarge(rows).split('\n')).toHaveLength(rows.length + 1);
});
