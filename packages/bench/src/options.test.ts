import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';

describe('the command line of the bench', () => {
  it('has defaults', () => {
    expect(parseOptions([])).toEqual({
      repo: undefined,
      rounds: 5,
      only: [],
      runtimes: ['node', 'workerd', 'deno', 'bun'],
      pushes: 500,
      git: true,
      out: undefined,
      help: false,
    });
  });

  it('accepts every option', () => {
    const args = ['--repo', 'x.git', '--rounds', '3', '--only', 'clone', '--only', 'memory', '--out', 'y.json'].concat(
      '--runtimes',
      'bun,node',
      '--no-git',
      '--pushes',
      '10000',
    );
    expect(parseOptions(args)).toEqual({
      repo: 'x.git',
      rounds: 3,
      only: ['clone', 'memory'],
      runtimes: ['bun', 'node'],
      pushes: 10_000,
      git: false,
      out: 'y.json',
      help: false,
    });
  });

  it.each([
    ['--rounds', '0'],
    ['--pushes', '1.5'],
    ['--rounds', 'many'],
    ['--only', 'cloning'],
    ['--runtimes', 'node,perl'],
    ['--fast'],
  ])('refuses %s %s', (...args) => {
    expect(() => parseOptions(args)).toThrow(args[0]);
  });
});
