import { describe, expect, it } from 'vitest';
import { tagKind } from '../../object/kind.ts';
import { cost } from '../../work/costs.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { GraphSet } from '../../graph/graph-set.ts';
import { boundaryOf, nothingSelected, type BoundaryRequest } from './history-bounds.ts';
import { chainOf, extended, idOfName, madeGraph, type MadeNode } from '../../graph/made-graph.test.util.ts';

/** Letters with their parents; a date, 0 without one, behind each. */
async function graphOf(nodes: Readonly<Record<string, readonly [parents: string, date?: number]>>): Promise<GraphSet> {
  const made = Object.entries(nodes).map(([name, [parents]]): MadeNode => ({ name, parents: [...parents] }));
  const dates = Uint32Array.from(Object.values(nodes), ([, date = 0]) => date);
  return extended(GraphSet.empty(), { ...madeGraph(1, made), dates });
}

/** Returns the reported names: of `shallow`, then of `unshallow`. */
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
    new Scheduler().begin(),
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

it('counts the tags that lead to a want', async () => {
  const tags = 5_000;
  const chain = chainOf('tag', tags, tagKind).map((tag, i) => (i === 0 ? { ...tag, parents: ['commit'] } : tag));
  const set = await extended(GraphSet.empty(), madeGraph(1, [{ name: 'commit', parents: [] }, ...chain]));
  const scheduler = new Scheduler();
  const wants = [node(set, `tag${tags - 1}`)];
  await boundaryOf(set, { wants, clientShallow: [], ownShallow: [], limit: undefined }, scheduler.begin());
  expect(scheduler.totals[cost.entries]).toBeGreaterThan(2 * tags);
});

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
  });

  it('GIT-072: full history completes the given lines of the client, regardless of the wants', async () => {
    const set = await graphOf(nodes);
    const all = { wants: 'x', clientShallow: 'zab' };
    const everything = (...names: readonly string[]) =>
      ({ kind: 'everything', completes: names.map((name) => node(set, name)) }) as const;
    expect(await told(set, 'abcdexyz', { ...all, limit: everything() })).toEqual(['', 'z']);
    expect(await told(set, 'abcdexyz', { ...all, limit: everything('b') })).toEqual(['', 'bz']);
    // The history below b ends at y here, since the repository has no more.
    expect(await told(set, 'abcdexyz', { ...all, limit: everything('b'), ownShallow: 'y' })).toEqual(['y', 'bz']);
  });

  it('GIT-074: counts from the line of the client that is nearest to a want', async () => {
    const set = await graphOf(nodes);
    const relative = { wants: 'e', limit: count(1, true) };
    expect(await told(set, 'abcdexyz', { ...relative, clientShallow: 'dxa' })).toEqual(['cz', 'dx']);
    expect(await told(set, 'abcdexyz', { ...relative, clientShallow: 'cx' })).toEqual(['z', 'x']);
    expect(await told(set, 'abcdexyz', { ...relative, clientShallow: 'y', limit: count(2, true) })).toEqual(['', 'y']);
    expect(await told(set, 'abcdexyz', { ...relative, clientShallow: 'a' })).toEqual(['', '']);
    expect(await told(set, 'abcdexyz', relative)).toEqual(['', '']);
  });

  it('GIT-074: a count past the start of a merged branch cuts no history that the client has', async () => {
    const merged = { 1: [''], 2: ['1'], 3: ['2'], 4: ['3'], 5: ['4'], 6: ['35'] } as const;
    const set = await graphOf(merged);
    // The rule of Git before 2.54 put the boundary at 3, above 2 that the client has.
    expect(await told(set, '123456', { wants: '6', clientShallow: '24', limit: count(1, true) })).toEqual(['1', '24']);
  });

  it('GIT-075: tells where the repository itself ends, also without being asked for depth', async () => {
    const set = await graphOf(nodes);
    const own = { wants: 'e', ownShallow: 'ya' };
    expect(await told(set, 'abcdexyz', { ...own, limit: count(3) })).toEqual(['cz', '']);
    expect(await told(set, 'abcdexyz', { ...own, limit: count(9) })).toEqual(['y', '']);
    expect(await told(set, 'abcdexyz', own)).toEqual(['y', '']);
    const everything = { kind: 'everything', completes: [node(set, 'y')] } as const;
    expect(await told(set, 'abcdexyz', { ...own, clientShallow: 'y', limit: everything })).toEqual(['', '']);
    // Behind its own boundary the client has no use for it.
    expect(await told(set, 'abcdexyz', { ...own, clientShallow: 'z' })).toEqual(['', '']);
  });
});

describe('GIT-073: a selection', () => {
  const select = (since: number, ...excluded: readonly number[]) => ({ kind: 'selection', since, excluded }) as const;
  // d is younger than its child: clocks go wrong.
  const nodes = { a: ['', 1], b: ['a', 2], d: ['b', 9], c: ['d', 3], o: ['a', 1], m: ['co', 8] } as const;

  it('ends with a commit that has any parent outside, and reports no commit behind it', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(2) })).toEqual(['m', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(2) })).toEqual(['b', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(3, node(set, 'a')) })).toEqual(['d', '']);
    // What an older one hides is not selected, however young it is.
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(4) })).toEqual(['m', '']);
  });

  it('omits commits that a ref reaches, and returns those that the client was cut off from', async () => {
    const set = await graphOf(nodes);
    expect(await told(set, 'abcdmo', { wants: 'c', limit: select(0, node(set, 'b')) })).toEqual(['d', '']);
    expect(await told(set, 'abcdmo', { wants: 'm', limit: select(0, node(set, 'b')) })).toEqual(['do', '']);
    expect(await told(set, 'abcdmo', { wants: 'c', clientShallow: 'cd', limit: select(0, node(set, 'b')) })).toEqual([
      '',
      'c',
    ]);
  });

  it('refuses an empty selection, and reports all selected commits if some wants are not selected', async () => {
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
  const boundary = await boundaryOf(
    set,
    { wants, clientShallow: [], ownShallow: [], limit: count(2) },
    new Scheduler().begin(),
  );
  expect(boundary).toEqual({ bounds: { cuts: [node(set, 'c1')], unshallowed: [] }, shallow: [node(set, 'c1')] });
  const none = { kind: 'selection', since: 0, excluded: [] } as const;
  expect(
    await boundaryOf(
      set,
      { wants: [node(set, 'x')], clientShallow: [], ownShallow: [], limit: none },
      new Scheduler().begin(),
    ),
  ).toBe(nothingSelected);
});
