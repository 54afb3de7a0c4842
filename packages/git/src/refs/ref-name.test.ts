import { spawnSync } from 'node:child_process';
import { fc, it as property } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { isValidBranchName, parseRefName } from './ref-name.ts';

function stockAccepts(name: string): boolean {
  return spawnSync('git', ['check-ref-format', name]).status === 0;
}

const words = [
  'refs/',
  'heads/',
  'tags/',
  'a',
  '/',
  '.',
  '..',
  '.lock',
  '@',
  '@{',
  '{',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  ']',
  '\\',
  ' ',
  '\t',
  '\x7f',
  '-',
  'é',
  '日',
  '🎉',
  'HEAD',
];
const almostNames = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));

describe('parseRefName', () => {
  property.prop(
    [
      fc.oneof(
        almostNames,
        almostNames.map((name) => `refs/heads/${name}`),
      ),
    ],
    { numRuns: runs(250) },
  )('GIT-120, GIT-121: accepts below refs/x/ what git check-ref-format accepts', (name) => {
    const deep = name.startsWith('refs/') && name.split('/').length >= 3;
    expect(parseRefName(name) !== undefined).toBe(deep && stockAccepts(name));
  });

  it('GIT-120: refuses a NUL and bytes that are not UTF-8', () => {
    expect(parseRefName('refs/heads/a\0b')).toBeUndefined();
    expect(parseRefName(Buffer.from('refs/heads/caf\xe9', 'latin1'))).toBeUndefined();
    expect(parseRefName('refs/heads/\ud800')).toBeUndefined();
    expect(parseRefName(Buffer.from('refs/heads/café'))).toBe('refs/heads/café');
    // A byte order mark is a part of the name, not of its encoding.
    expect(parseRefName(Buffer.from('\ufeffrefs/heads/a'))).toBeUndefined();
    expect(parseRefName(Buffer.from('refs/heads/\ufeffa'))).toBe('refs/heads/\ufeffa');
  });

  it('LIM-055: counts 1,024 bytes, not characters', () => {
    expect(parseRefName(`refs/heads/${'a'.repeat(1013)}`)).toBeDefined();
    expect(parseRefName(`refs/heads/${'a'.repeat(1014)}`)).toBeUndefined();
    expect(parseRefName(`refs/heads/${'é'.repeat(506)}`)).toBeDefined();
    expect(parseRefName(`refs/heads/${'é'.repeat(507)}`)).toBeUndefined();
  });

  it.each(['HEAD', 'refs/x', 'refs/', '', 'heads/main', 'refs//x'])('GIT-121: refuses %j', (name) => {
    expect(parseRefName(name)).toBeUndefined();
  });

  it.each(['refs/heads/main', 'refs/pull/1/head', 'refs/heads/HEAD', 'refs/x/@', 'refs/heads/-a'])(
    'GIT-122: accepts %j',
    (name) => {
      expect(parseRefName(name)).toBe(name);
    },
  );
});

describe('isValidBranchName', () => {
  it.each(['main', 'a/b', 'größe', '@', 'x'.repeat(256)])('REPO-063: accepts %j', (name) => {
    expect(isValidBranchName(name)).toBe(true);
  });

  it.each(['', 'HEAD', '-a', 'a..b', 'a b', 'a.lock', '/a', 'a/', 'a.', 'x'.repeat(257), 'é'.repeat(129)])(
    'REPO-063: refuses %j',
    (name) => {
      expect(isValidBranchName(name)).toBe(false);
    },
  );
});
