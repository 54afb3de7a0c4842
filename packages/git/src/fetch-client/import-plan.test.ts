import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import type { RefName } from '../refs/ref-name.ts';
import { planImport, type ImportChoice } from './import-plan.ts';

const oid = '1'.repeat(40) as ObjectId;
const planned = (
  names: readonly string[],
  head: string | undefined,
  choice: Partial<ImportChoice> = {},
  hidden: readonly string[] = [],
) => {
  const refs = names.map((name) => ({ name: `refs/${name}` as RefName, oid }));
  const all = { branch: undefined, depth: undefined, ...choice };
  const plan = planImport({ refs, head: head as RefName | undefined }, all, hidden);
  const short = (list: typeof plan.refs): string[] => list.map(({ name }) => name.slice('refs/'.length));
  return { refs: short(plan.refs), tags: short(plan.tags), defaultBranch: plan.defaultBranch };
};

const some = ['heads/a', 'heads/b', 'tags/t'];

describe('planImport', () => {
  it.each([
    ['REPO-130: everything', some, 'refs/heads/b', {}, { refs: some, tags: [], defaultBranch: 'b' }],
    ['REPO-130: main, where HEAD names nothing', some, undefined, {}, { refs: some, tags: [], defaultBranch: 'main' }],
    [
      'REPO-130: main, where no branch may have the name',
      some,
      'refs/heads/-x',
      {},
      { refs: some, tags: [], defaultBranch: 'main' },
    ],
    ['REPO-130: nothing', [], undefined, {}, { refs: [], tags: [], defaultBranch: 'main' }],
    ['REPO-130: nothing, with a depth', [], 'refs/heads/b', { depth: 1 }, { refs: [], tags: [], defaultBranch: 'b' }],
    [
      'REPO-130: a branch',
      some,
      'refs/heads/b',
      { branch: 'a' },
      { refs: ['heads/a'], tags: ['tags/t'], defaultBranch: 'a' },
    ],
    [
      'REPO-130: a branch, cut off',
      some,
      undefined,
      { branch: 'a', depth: 2 },
      { refs: ['heads/a'], tags: ['tags/t'], defaultBranch: 'a' },
    ],
    [
      'REPO-130: that of HEAD, cut off',
      some,
      'refs/heads/b',
      { depth: 2 },
      { refs: ['heads/b'], tags: [], defaultBranch: 'b' },
    ],
    [
      'REPO-130: the only one, cut off',
      ['heads/a', 'tags/t'],
      'refs/heads/x',
      { depth: 2 },
      { refs: ['heads/a'], tags: [], defaultBranch: 'x' },
    ],
    [
      'REPO-130: main, cut off',
      ['heads/a', 'heads/main'],
      undefined,
      { depth: 2 },
      { refs: ['heads/main'], tags: [], defaultBranch: 'main' },
    ],
  ] as const)('%s', (_, names, head, choice, plan) => {
    expect(planned(names, head, choice)).toEqual(plan);
  });

  it('REPO-127: a branch that is not there', () => {
    expect(() => planned(some, 'refs/heads/b', { branch: 't' })).toThrow(
      expect.objectContaining({ code: 'branch missing' }),
    );
    expect(() => planned(some, 'refs/heads/x', { depth: 1 })).toThrow(
      expect.objectContaining({ code: 'branch missing' }),
    );
  });

  it('GIT-129: nothing that is hidden', () => {
    expect(planned(some, 'refs/heads/b', {}, ['refs/heads/a', 'refs/tags']).refs).toEqual(['heads/b']);
    expect(() => planned(some, 'refs/heads/b', { branch: 'a' }, ['refs/heads/a'])).toThrow('no such branch');
  });
});
