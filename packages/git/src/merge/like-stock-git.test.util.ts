import { expect } from 'vitest';
import { objectsOf } from '../diff/object-source.ts';
import { CommitGraph } from '../graph/commit-graph.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { MadeObject } from '../maintain/made-history.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { MergeLimits } from './merge-limits.ts';
import { MergeObjects } from './merge-objects.ts';
import { RecursiveMerge } from './recursive-merge.ts';
import { commitsOf, randomHistory, randomOf, randomSides } from './random-merges.test.util.ts';
import { StockRepository, type TestCommit } from './stock-merges.test.util.ts';

/** Merges both last commits of random histories, and compares with stock Git. */
export async function expectLikeStockGit(seed: number, count: number): Promise<void> {
  const random = randomOf(seed);
  const histories = Array.from({ length: count }, (_, i) => {
    const kinds = { renames: random(2) === 0, skew: random(2) === 0 };
    return i % 3 === 0 ? randomSides(random, kinds) : randomHistory(random, kinds);
  });
  await expectMergesLikeStockGit(histories);
}

/**
 * Merges both last commits of histories, and compares with `git merge-base` and `git merge-tree`. One repository has the
 * first of them, another one the second.
 */
export async function expectMergesLikeStockGit(histories: readonly (readonly TestCommit[])[]): Promise<void> {
  const commits = commitsOf(histories);
  const ends = histories.reduce<number[]>((sums, { length }) => [...sums, (sums.at(-1) ?? 0) + length], []);
  const pairs = ends.map((end) => [end - 2, end - 1] as const);
  // One ref for all commits of a side.
  const sides = [0, 1].map((side) => ({ files: new Map(), parents: pairs.map((pair) => pair[side] as number) }));
  const stock = new StockRepository([...commits, ...sides]);
  try {
    const views = [await viewOf(stock, commits.length), await viewOf(stock, commits.length + 1)] as const;
    await expectMerges(stock, views, pairs);
  } finally {
    stock.remove();
  }
}

async function viewOf(stock: StockRepository, commit: number): Promise<RepositoryView> {
  const repository = new MaintainedRepository(2 ** 20);
  const objects = stock.objects(commit);
  const tip = objects.find(({ id }) => id === stock.commits()[commit]) as MadeObject;
  await repository.push([{ ref: 'refs/heads/all', new: tip }], objects);
  return repository.freshView();
}

async function expectMerges(
  stock: StockRepository,
  views: readonly [RepositoryView, RepositoryView],
  pairs: readonly (readonly [ours: number, theirs: number])[],
): Promise<void> {
  const source = await objectsOf(views);
  const graph = await CommitGraph.open(source.work, views);
  const ids = stock.commits();
  const bases = stock.mergeBases(pairs);
  for (const [i, expected] of stock.merge(pairs).entries()) {
    const [ours, theirs] = pairs[i] as readonly [number, number];
    const objects = new MergeObjects(source, views[0].engine.codec, new MergeLimits());
    const merging = new RecursiveMerge(graph, objects);
    const [one, two] = [graph.nodeOf(ids[ours] as ObjectId), graph.nodeOf(ids[theirs] as ObjectId)];
    const found = await merging.basesOf(one, two);
    expect([ours, theirs, found]).toEqual([ours, theirs, bases[i]?.map((id) => graph.nodeOf(id))]);
    if (expected === undefined) continue;
    const labels = { ours: `side-${ours}`, theirs: `side-${theirs}` };
    const { tree, conflicts, misplaced } = await merging.merge(labels, one, two, found);
    const stages = conflicts.flatMap(({ path, versions }) =>
      versions.flatMap((version, side) =>
        version === undefined
          ? []
          : [`${version.mode.toString(8).padStart(6, '0')} ${version.oid} ${side + 1}\t${path}`],
      ),
    );
    const merged = { tree, stages, isClean: conflicts.length === 0 && misplaced.length === 0 };
    expect([ours, theirs, merged]).toEqual([ours, theirs, expected]);
  }
}
