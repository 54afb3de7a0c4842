import { CommitGraph } from '../graph/commit-graph.ts';
import { objectsOf } from '../diff/object-source.ts';
import type { Hold } from '../memory/holding.ts';
import type { GitObject } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { MergeLimits } from './merge-limits.ts';
import { MergeObjects } from './merge-objects.ts';
import { mergeTrees, type MergedTree } from './merge-trees.ts';
import type { Version } from './path-info.ts';
import { RecursiveMerge, type SideLabels } from './recursive-merge.ts';

/** Repositories whose commits are merged, and names for both sides. */
export interface MergeSetting {
  /** The first has the commit `ours`; a fork or parent with the other commits may follow. */
  readonly views: readonly [RepositoryView, ...RepositoryView[]];
  /** Reserves memory, such as `holding` of the request. */
  readonly hold: Hold;
  /** Names of the sides, such as those of branches. They show in the paths of conflicts alone. */
  readonly labels: SideLabels;
}

/** A path in conflict, with the versions that Git has there as stages 1, 2 and 3. */
export interface PathConflict {
  /** Bytes as a byte text. */
  readonly path: string;
  readonly base: Version | undefined;
  readonly ours: Version | undefined;
  readonly theirs: Version | undefined;
}

/** Result of a three-way merge. */
export type MergedTrees =
  | {
      readonly kind: 'merged';
      readonly tree: ObjectId;
      /** False if the result is the tree of `ours`. */
      readonly isChanged: boolean;
      /** Trees and blobs that the merge made, each once. All others of the tree are stored in the repositories. */
      readonly objects: readonly GitObject[];
    }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly PathConflict[] };

/** Result of a merge of commits. */
export type MergedCommits =
  | MergedTrees
  /** `theirs` is `ours` or an ancestor of it. */
  | { readonly kind: 'up to date' }
  /** `ours` is an ancestor of `theirs`, whose tree is the result. */
  | { readonly kind: 'fast-forward'; readonly tree: ObjectId; readonly isChanged: boolean }
  /** The commits have no common ancestor: Git refuses to merge them. */
  | { readonly kind: 'unrelated' };

/** Commits of a three-way merge whose base is given. Null is the empty tree. */
export interface ThreeWay {
  readonly base: ObjectId | null;
  readonly ours: ObjectId;
  readonly theirs: ObjectId | null;
}

/**
 * Merges two commits with Git's results, that of `git merge-tree --write-tree` of Git 2.39. Checks no permissions: name
 * only commits that the caller may read.
 *
 * @throws {MergeTooLargeError}
 * @throws {NotEnoughMemoryError}
 */
export async function mergeCommits(setting: MergeSetting, ours: ObjectId, theirs: ObjectId): Promise<MergedCommits> {
  const { graph, objects, merge } = await openMerge(setting);
  const [one, two] = [graph.nodeOf(ours), graph.nodeOf(theirs)];
  const bases = await merge.basesOf(one, two);
  const relation = relationOf(one, two, bases);
  if (relation === 'fast-forward') {
    const tree = graph.treeOf(two);
    return { kind: relation, tree, isChanged: tree !== graph.treeOf(one) };
  }
  if (relation !== 'diverged') return { kind: relation };
  return toResult(objects, graph.treeOf(one), await merge.merge(setting.labels, one, two, bases));
}

/**
 * Tells what a merge of two commits would have to do, without it.
 *
 * @throws {MergeTooLargeError}
 * @throws {NotEnoughMemoryError}
 */
export async function relateCommits(
  setting: MergeSetting,
  ours: ObjectId,
  theirs: ObjectId,
): Promise<Exclude<MergedCommits, MergedTrees>['kind'] | 'diverged'> {
  const { graph, merge } = await openMerge(setting);
  const [one, two] = [graph.nodeOf(ours), graph.nodeOf(theirs)];
  return relationOf(one, two, await merge.basesOf(one, two));
}

function relationOf(one: number, two: number, bases: readonly number[]): Awaited<ReturnType<typeof relateCommits>> {
  if (bases[0] === two) return 'up to date';
  if (bases[0] === one) return 'fast-forward';
  return bases.length === 0 ? 'unrelated' : 'diverged';
}

/**
 * Merges three commits of which the caller chose the base. To pick a commit, its parent is the base; to revert one, it
 * is the base of its parent.
 *
 * @throws {MergeTooLargeError}
 * @throws {NotEnoughMemoryError}
 */
export async function mergeWithBase(setting: MergeSetting, { base, ours, theirs }: ThreeWay): Promise<MergedTrees> {
  const { graph, objects } = await openMerge(setting);
  const treeOf = (commit: ObjectId | null): ObjectId | undefined =>
    commit === null ? undefined : graph.treeOf(graph.nodeOf(commit));
  const tree = graph.treeOf(graph.nodeOf(ours));
  const merged = await mergeTrees({ objects, ...setting.labels, depth: 0 }, treeOf(base), tree, treeOf(theirs));
  return toResult(objects, tree, merged);
}

interface OpenMerge {
  readonly graph: CommitGraph;
  readonly objects: MergeObjects;
  readonly merge: RecursiveMerge;
}

async function openMerge({ views, hold }: MergeSetting): Promise<OpenMerge> {
  const [{ work, engine }] = views;
  const source = await objectsOf(views);
  const graph = await CommitGraph.open(work, views);
  const objects = new MergeObjects(source, engine.codec, new MergeLimits(hold));
  return { graph, objects, merge: new RecursiveMerge(graph, objects) };
}

async function toResult(
  objects: MergeObjects,
  ours: ObjectId,
  { tree, conflicts, misplaced }: MergedTree,
): Promise<MergedTrees> {
  if (conflicts.length === 0 && misplaced.length === 0) {
    const made = await inTurns(objects.work, cost.entries, objects.madeBelow(tree));
    return { kind: 'merged', tree, isChanged: tree !== ours, objects: made };
  }
  const versions = new Map(conflicts.map((conflict) => [conflict.path, conflict.versions]));
  const paths = [...new Set([...versions.keys(), ...misplaced])].toSorted();
  return {
    kind: 'conflicts',
    conflicts: paths.map((path) => {
      const [base, own, theirs] = versions.get(path) ?? [];
      return { path, base, ours: own, theirs };
    }),
  };
}
