import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/all.ts';
import { ran } from './in-process.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out, err } = await ran(['completion', shell]);
    expect([code, err]).toEqual([0, '']);
    writeFileSync(join(folder, shell), out);
  }
  mkdirSync(join(folder, 'here'));
  mkdirSync(join(folder, 'here', 'a folder'));
  writeFileSync(join(folder, 'here', 'a file.json'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the completions of the script's function for these words, of which the last is incomplete. */
function inBash(...words: readonly string[]): readonly string[] {
  const script = `set -u; source ../bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _packhouse
printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'packhouse', ...words], {
    cwd: join(folder, 'here'),
    encoding: 'utf8',
  });
  return out.split('\n').filter((line) => line !== '');
}

/** Returns the completions of fish for a line. */
function inFish(line: string): readonly string[] {
  const out = execFileSync('fish', ['--no-config', '-c', 'source ../fish; complete -C "packhouse $argv"', line], {
    cwd: join(folder, 'here'),
    encoding: 'utf8',
  });
  return out.split('\n').flatMap((row) => row.split('\t')[0] || []);
}

const firsts = [...new Set(commands.map(({ words }) => words[0] as string)), 'help'];

describe('completion bash', () => {
  it('completes commands, then their second words or options', () => {
    expect(inBash('')).toEqual([...firsts, '--help', '--version']);
    expect(inBash('rep')).toEqual(['repo']);
    expect(inBash('help', '')).toEqual(firsts);
    for (const { words, options } of commands) {
      const [first = '', second] = words;
      if (second !== undefined) expect(inBash(first, second.slice(0, -1))).toContain(second);
      expect(inBash(...words, '--')).toEqual([...options.map(({ name }) => `--${name}`), '--help']);
    }
    expect(inBash('nothing', '')).toEqual([]);
  });

  it.each([
    [
      ['repo', 'list', '--sort', ''],
      ['created_at', 'updated_at', 'last_push_at', 'name'],
    ],
    [
      ['repo', 'list', '--sort', '='],
      ['created_at', 'updated_at', 'last_push_at', 'name'],
    ],
    [['repo', 'list', '--sort', '=', 'n'], ['name']],
    [['repo', 'list', '--search', ''], []],
    [['repo', 'list', '--json', '--dir'], ['--direction']],
    [['serve', '--runtime', 'd'], ['deno']],
    [
      ['serve', '--config', ''],
      ['a file.json', 'a folder'],
    ],
    [['serve', '--data', 'a'], ['a folder']],
    [['workers', 'init', 'a'], ['a folder']],
    [['workers', 'init', '--na'], ['--name']],
    [['events', 'tail', '-f', '--fol'], ['--follow']],
    [['completion', 'z'], ['zsh']],
  ])('completes %j: %j', (words, offered) => {
    expect(inBash(...words).toSorted()).toEqual(offered.toSorted());
  });
});

describe.skipIf(spawnSync('fish', ['--version']).status !== 0)('completion fish', () => {
  it('completes commands, then their second words or options', () => {
    expect(inFish('').toSorted()).toEqual(firsts.toSorted());
    for (const { words, options } of commands) {
      const [first = '', second] = words;
      if (second !== undefined) expect(inFish(`${first} ${second.slice(0, -1)}`)).toContain(second);
      expect(inFish(`${words.join(' ')} --`)).toEqual([...options.map(({ name }) => `--${name}`), '--help'].toSorted());
    }
  });

  it('completes the values of options and arguments', () => {
    expect(inFish('repo list --sort n')).toEqual(['name']);
    expect(inFish('repo list --search ')).toEqual([]);
    expect(inFish('serve --config a')).toEqual(['a file.json', 'a folder/']);
    expect(inFish('completion z')).toEqual(['zsh']);
  });
});

describe('completion zsh', () => {
  it.skipIf(spawnSync('zsh', ['--version']).status !== 0)('is a valid zsh script', () => {
    expect(spawnSync('zsh', ['-n', join(folder, 'zsh')], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
