import type { PackId, PackRecord } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { quietMergeAt } from './quiet-merge.ts';

const rule = { after: 60, alwaysMax: 1_000 };

const pack = (objects: number, packSize: number, position: number): PackRecord => ({
  id: String(position).padStart(32, '0') as PackId,
  where: 'store',
  objects,
  packSize,
  idxSize: 1,
  graphSize: 1,
  exact: false,
  position,
  after: position - 1,
  at: 1,
  borrowed: 'no',
});

describe('quietMergeAt', () => {
  it.each([
    ['two packs of few bytes', [pack(1_000, 900, 1), pack(1, 100, 2)], 70],
    ['many bytes of which nearly all are in one pack', [pack(1_000, 1_000, 1), pack(99, 1, 2)], undefined],
    ['many bytes where a tenth of the objects is elsewhere', [pack(900, 1_000, 1), pack(100, 1, 2)], 70],
    ['the same whichever pack is the largest', [pack(99, 1, 1), pack(1_000, 1_000, 2)], undefined],
    ['one pack', [pack(10, 10, 1)], undefined],
    ['no pack', [], undefined],
  ])('is worth it when quiet, or not, for %s', (_, packs, at) => {
    expect(quietMergeAt(packs, 10, rule)).toBe(at);
  });

  it('is undefined for a repository without a push', () => {
    expect(quietMergeAt([pack(1, 1, 1), pack(1, 1, 2)], undefined, rule)).toBeUndefined();
  });

  it('REPO-124: is not worth it for what came by a fork, which is shared', () => {
    const borrowed = [1, 2].map((position) => ({ ...pack(10, 10, position), borrowed: 'whole' as const }));
    expect(quietMergeAt([...borrowed, pack(10, 10, 3)], 10, rule)).toBeUndefined();
    expect(quietMergeAt([...borrowed, pack(10, 10, 3), pack(10, 10, 4)], 10, rule)).toBe(70);
  });
});
