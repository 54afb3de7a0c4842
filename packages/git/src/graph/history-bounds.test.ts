import { describe, expect, it } from 'vitest';
import { tagKind } from '../object/kind.ts';
import { createTurns } from '../turns.ts';
import { GraphSet } from './graph-set.ts';
import { boundaryOf, nothingSelected, type BoundaryRequest } from './history-bounds.ts';
import { chainOf, extended, idOfName, madeGraph, type MadeNode } from './made-graph.test.util.ts';

/** Letters with their parents; a date, 0 without one, behind each. */
async function graphOf(nodes: Readonly<Record<string, readonly [parents: string, date?: number]>>): Promise<GraphSet> {
  const made = Object.entries(nodes).map(([name, [parents]]): MadeNode => ({ name, parents: [...parents] }));
  const dates = Uint32Array.from(Object.values(nodes), ([, date = 0]) => date);
  return extended(GraphSet.empty(), { ...madeGraph(1, made), dates });
}

/** What is told, by names: of `shallow`, then of `unshallow`. */
async function told(
  set: GraphSet,
  names: string,
  request: Partial<Record<keyof BoundaryRequest, unknown>>,
): Promise<string | string[]> {
  const nodesOf = (list: unknown): number[] => [...((list as string) ?? '')].map((name) => node(set, name));
  const limit = request.limit as BoundaryRequest['limit'];
  const boundary = await boundaryOf(
    set,
    {
      wants: nodesOf(request.wants),
      clientShallow: nodesOf(request.clientShallow),
      ownShallow: nodesOf(request.ownShallow),
      limit,
    },
    createTurns(),
  );
  if (boundary === nothingSelected) return boundary;
  const text = (nodes: readonly number[]): string =>
    [...names].filter((name) => nodes.includes(node(set, name))).join('');
  return [text(boundary.shallow), text(boundary.bounds.unshallowed)];
}

function node(set: GraphSet, name: string): number {
  return set.findNodeById(idOfName(name));
}

const count = (commits: number, relative = false) => ({ kind: 'count', commits, relative }) as const;

describe('GIT-072: a number of commits', () => {
  // z is reached from e over d, c, b in five steps, and over x in three.
  const nodes = { y: [''], z: ['y'], a: [''], b: ['z'], c: ['b'], d: ['c'], x: ['z'], e: ['dx'] } as const;

  it('counts the shortest way, from whichever want', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdexyz', { wants: 'e', limit: count(1) })).toEqual(['e', '']);
    expect(await told(set, 'abcdexyz', { wants: 'e', limit: count(3) })).toEqual(['cz', '']);
    expect(await told(set, 'abcdexyz', { wants: 'e', limit: count(4) })).toEqual(['by', '']);
    expect(await told(set, 'abcdexyz', { wants: 'eb', limit: count(3) })).toEqual(['cy', '']);
  });

  it('GIT-076: takes away what lies inside, and tells nothing that the client said itself', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdexyz', { wants: 'e', clientShallow: 'dz', limit: count(3) })).toEqual(['c', 'd']);
    expect(await told(set, 'abcdexyz', { wants: 'e', clientShallow: 'za', limit: { kind: 'everything' } })).toEqual([
      '',
      'z',
    ]);
  });

  it('GIT-074: counts from the boundary of the client that the wants reach', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdexyz', { wants: 'e', clientShallow: 'dxa', limit: count(1, true) })).toEqual([
      'cz',
      'dx',
    ]);
    expect(await told(set, 'abcdexyz', { wants: 'e', clientShallow: 'a', limit: count(1, true) })).toEqual(['', '']);
  });

  it('GIT-075: tells where the repository itself ends, also without being asked for depth', async () => {
    const set = await graphOf(nodes);
    const own = { wants: 'e', ownShallow: 'ya' };
    expect(await told(set, 'abcdexyz', { ...own, limit: count(3) })).toEqual(['cz', '']);
    expect(await told(set, 'abcdexyz', { ...own, limit: count(9) })).toEqual(['y', '']);
    expect(await told(set, 'abcdexyz', own)).toEqual(['y', '']);
    expect(await told(set, 'abcdexyz', { ...own, clientShallow: 'y', limit: { kind: 'everything' } })).toEqual([
      '',
      '',
    ]);
    // Behind its own boundary the client has no use for it.
    expect(await told(set, 'abcdexyz', { ...own, clientShallow: 'z' })).toEqual(['', '']);
  });
});

describe('GIT-073: a selection', () => {
  const select = (since: number, ...excluded: readonly number[]) => ({ kind: 'selection', since, excluded }) as const;
  // d is younger than its child: clocks go wrong.
  const nodes = { a: ['', 1], b: ['a', 2], d: ['b', 9], c: ['d', 3], o: ['a', 1], m: ['co', 8] } as const;

  it('ends with a commit that has any parent outside, and tells of none behind it', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(2) })).toEqual(['m', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(2) })).toEqual(['b', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(3, node(set, 'a')) })).toEqual(['d', '']);
    // What an older one hides is not selected, however young it is.
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(4) })).toEqual(['m', '']);
  });

  it('leaves out what is reached by a ref, and gives back what a client was told to do without', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(0, node(set, 'b')) })).toEqual(['d', '']);
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(0, node(set, 'b')) })).toEqual(['do', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', clientShallow: 'cd', limit: select(0, node(set, 'b')) })).toEqual([
      '',
      'c',
    ]);
  });

  it('of nothing is refused, and all that is selected is told, if some wants are not', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(10) })).toBe(nothingSelected);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(0, node(set, 'm')) })).toBe(nothingSelected);
    expect(await told(set, 'abcdmo', { wants: 'ac', limit: select(2) })).toEqual(['b', '']);
  });
});

it('GIT-072: a want that is a tag counts from its commit, and one of a tree has no history', async () => {
  const nodes: MadeNode[] = [
    ...chainOf('c', 3),
    { name: 't', parents: ['c2'], kind: tagKind },
    { name: 'u', parents: ['t'], kind: tagKind },
    { name: 'x', parents: [], kind: tagKind },
  ];
  const set = await extended(GraphSet.empty(), madeGraph(1, nodes));
  const wants = ['u', 'x'].map((name) => node(set, name));
  const boundary = await boundaryOf(set, { wants, clientShallow: [], ownShallow: [], limit: count(2) }, createTurns());
  expect(boundary).toEqual({ bounds: { cuts: [node(set, 'c1')], unshallowed: [] }, shallow: [node(set, 'c1')] });
  const none = { kind: 'selection', since: 0, excluded: [] } as const;
  expect(
    await boundaryOf(set, { wants: [node(set, 'x')], clientShallow: [], ownShallow: [], limit: none }, createTurns()),
  ).toBe(nothingSelected);
});
