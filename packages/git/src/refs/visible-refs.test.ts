import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from '../ports/repo-state.ts';
import { resolveHead } from './head.ts';
import type { RefName } from './ref-name.ts';
import { isHidden, visibleRefs } from './visible-refs.ts';

const ref = (name: string, digit = '1'): RefRecord => ({
  name: name as RefName,
  oid: digit.repeat(40) as ObjectId,
  kind: 'commit',
  peeled: null,
});

describe('hidden refs', () => {
  it('GIT-129: a prefix ends at the border of a component', () => {
    expect(isHidden('refs/internal/x', ['refs/internal'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/x'])).toBe(true);
    expect(isHidden('refs/internal/x', ['refs/internal/x/'])).toBe(true);
    expect(isHidden('refs/internals/x', ['refs/internal'])).toBe(false);
    expect(isHidden('refs/internal/x', ['refs/internal/x/y'])).toBe(false);
    expect(isHidden('refs/heads/x', ['refs/tags', 'refs/heads'])).toBe(true);
    expect(isHidden('refs/heads/x', [])).toBe(false);
  });

  it('GIT-129: the others stay in order', () => {
    const refs = [ref('refs/heads/a'), ref('refs/heads/b'), ref('refs/tags/a')];
    expect(visibleRefs(refs, ['refs/heads/b'])).toEqual([refs[0], refs[2]]);
    expect(visibleRefs(refs, [])).toBe(refs);
  });
});

describe('resolveHead', () => {
  const main = ref('refs/heads/main', 'a');
  const other = ref('refs/heads/other', 'b');
  const tag = ref('refs/tags/main', 'c');

  it('GIT-130: is the default branch if that exists', () => {
    expect(resolveHead([main, other, tag], 'other')).toEqual({ ref: other.name, oid: other.oid });
    expect(resolveHead([main, other, tag], 'main')).toEqual({ ref: main.name, oid: main.oid });
  });

  it('GIT-130: else the only branch', () => {
    expect(resolveHead([other, tag], 'main')).toEqual({ ref: other.name, oid: other.oid });
  });

  it('GIT-130: else the default branch, unborn', () => {
    expect(resolveHead([main, other, tag], 'gone')).toEqual({ ref: 'refs/heads/gone', oid: undefined });
    expect(resolveHead([tag], 'main')).toEqual({ ref: 'refs/heads/main', oid: undefined });
  });
});
