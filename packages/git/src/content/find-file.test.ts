import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { partsMax, pathParts } from './find-file.ts';

const parts = (path: string): readonly string[] | undefined =>
  pathParts(Buffer.from(path, 'latin1'))?.map((part) => Buffer.from(part).toString('latin1'));

describe('the parts of a path', () => {
  it.each([
    ['a', ['a']],
    ['a/b', ['a', 'b']],
    ['//a/./b//', ['a', 'b']],
    ['./.a/..b/...', ['.a', '..b', '...']],
    ['a\\b\0/\xe4', ['a\\b\0', '\xe4']],
  ])('REPO-147: of %j are %j', (path, expected) => {
    expect(parts(path)).toEqual(expected);
  });

  it.each(['', '.', '/', './/.', '..', 'a/..', '../a', 'a/../b', '/..'])('REPO-147: %j has none', (path) => {
    expect(parts(path)).toBeUndefined();
  });

  it('REPO-147: are no more than trees can lie below each other', () => {
    expect(parts('a/'.repeat(partsMax))).toHaveLength(partsMax);
    expect(parts('a/'.repeat(partsMax + 1))).toBeUndefined();
  });

  test.prop([fc.array(fc.constantFrom('a', '', '.', '..', '...', ' ')).map((all) => all.join('/'))])(
    'REPO-147: are those of a split that drops empty ones and dots',
    (path) => {
      const split = path.split('/').filter((part) => part !== '' && part !== '.');
      expect(parts(path)).toEqual(split.length === 0 || split.includes('..') ? undefined : split);
    },
  );
});
