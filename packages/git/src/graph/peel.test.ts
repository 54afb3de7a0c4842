import { expect, it } from 'vitest';
import { blobKind, tagKind } from '../object/kind.ts';
import type { GraphSet } from './graph-set.ts';
import { chainOf, idOfName, madeSet } from './made-graph.test.util.ts';
import { TagEnds } from './peel.ts';

it('finds the ends of chains of tags, looking at each tag once', async () => {
  const length = 20_000;
  const set = await madeSet([
    { name: 'commit', parents: [] },
    { name: 'first', parents: ['commit'], kind: tagKind },
    ...chainOf('tag', length, tagKind).map((node, i) => (i === 0 ? { ...node, parents: ['first'] } : node)),
    { name: 'blob', parents: [], kind: blobKind },
    // A tag of a blob has no parent.
    { name: 'tag of a blob', parents: [], kind: tagKind },
  ]);
  let looks = 0;
  const counted = new Proxy(set, {
    get(target, name) {
      if (name === 'nodeKind') looks++;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  }) as GraphSet;
  const ends = new TagEnds(counted);
  const commit = set.findNodeById(idOfName('commit'));
  for (let i = length - 1; i >= 0; i--) expect(ends.of(set.findNodeById(idOfName(`tag${i}`)))).toBe(commit);
  expect(looks).toBeLessThan(2 * length);
  const ofBlob = set.findNodeById(idOfName('tag of a blob'));
  expect(ends.of(ofBlob)).toBe(ofBlob);
  expect([ends.isCommit(commit), ends.isCommit(ofBlob), ends.isCommit(set.findNodeById(idOfName('blob')))]).toEqual([
    true,
    false,
    false,
  ]);
});
