import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { GraphSet } from '../../graph/graph-set.ts';
import { chainOf, idOfName, madeSet, type MadeNode } from '../../graph/made-graph.test.util.ts';
import { Scheduler } from '../../work/scheduler.ts';
import { firstParents, walkMax } from './first-parents.ts';

interface Made {
  /** Numbers of parents, each an older one. */
  readonly parents: readonly (readonly number[])[];
  /** How many of them are stored already, in packs of so many. */
  readonly stored: number;
  readonly packSize: number;
  /** Old value and new one: the old one is stored; -1 for none. */
  readonly moves: readonly (readonly [before: number, after: number])[];
}

const histories: fc.Arbitrary<Made> = fc
  .record({
    // Mostly along the chain, so that walks are long.
    links: fc.array(fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(60)), { maxLength: 3 }), {
      minLength: 2,
      maxLength: 60,
    }),
    stored: fc.nat(),
    packSize: fc.integer({ min: 1, max: 30 }),
    moves: fc.array(fc.tuple(fc.integer({ min: -1, max: 1_000 }), fc.nat()), { minLength: 1, maxLength: 12 }),
  })
  .map(({ links, stored, packSize, moves }) => {
    const count = links.length;
    const old = 1 + (stored % (count - 1));
    return {
      parents: links.map((back, i) =>
        [...new Set(back.map((steps) => Math.max(0, i - 1 - steps)))].filter((p) => p < i),
      ),
      stored: old,
      packSize,
      moves: moves.map(([before, after]) => [before < 0 ? -1 : before % old, after % count] as const),
    };
  });

function reaches(parents: Made['parents'], from: number, goal: number): boolean {
  return from === goal || (parents[from] ?? []).some((parent) => parent >= goal && reaches(parents, parent, goal));
}

/** The words of REPO-195. */
function expected({ parents }: Made, before: number, after: number): number[] {
  const walk: number[] = [];
  for (let at: number | undefined = after; at !== undefined && walk.length < 21; at = parents[at]?.[0]) {
    if (before >= 0 && reaches(parents, before, at)) break;
    walk.push(at);
  }
  return walk;
}

function packsOf({ parents, stored, packSize }: Made): MadeNode[][] {
  const nodes = parents.slice(0, stored).map((own, i) => ({ name: `${i}`, parents: own.map(String) }));
  const packs: MadeNode[][] = [];
  for (let at = 0; at < nodes.length; at += packSize) packs.push(nodes.slice(at, at + packSize));
  return packs;
}

/** References of commits; stored ones are below zero. */
function references(set: GraphSet, { parents, stored }: Made): readonly number[] {
  return parents.map((_, i) => (i < stored ? -1 - set.findNodeById(idOfName(String(i))) : i - stored));
}

test.prop([histories])('REPO-195: walks over first parents to what the old value reaches, at most 21', async (made) => {
  const set = await madeSet(...packsOf(made));
  const all = references(set, made);
  const nodes = {
    parentsOf: (node: number) => Int32Array.from(made.parents[made.stored + node] ?? [], (p) => all[p] as number),
  };
  const moves = made.moves.map(([before, after]) => ({
    before: before < 0 ? null : idOfName(String(before)),
    after: all[after] as number,
  }));
  const walks = await firstParents(set, nodes, moves, new Scheduler().begin());
  made.moves.forEach(([before, after], i) => {
    expect(walks[i]).toEqual({ nodes: expected(made, before, after).map((n) => all[n]), isKnown: true });
  });
});

it('REPO-195: goes over a long history a bounded number of times, and says where it does not know', async () => {
  const length = 3_000;
  const side = Array.from({ length }, (_, i) => ({ name: `side${i}`, parents: [`main${i}`] }));
  const set = await madeSet(chainOf('main', length), side);
  const moves = side.map((_, i) => ({
    before: idOfName(`side${i}`),
    after: -1 - set.findNodeById(idOfName(`side${length - 1 - i}`)),
  }));
  const walks = await firstParents(set, { parentsOf: () => new Int32Array() }, moves, new Scheduler().begin());
  // That the last one reaches all it was moved to was not found out any more.
  expect(walks[length - 1]).toEqual({ nodes: [], isKnown: false });
  expect(walks.filter(({ isKnown }) => isKnown).length).toBeGreaterThan(30);
  expect(walks[0]?.nodes).toHaveLength(walkMax);
});
