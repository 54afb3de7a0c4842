import type { CommitGraph } from '../graph/commit-graph.ts';
import { findMergeBases, mergeBasesMemory } from '../graph/merge-bases.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { MergeObjects } from './merge-objects.ts';
import { mergeTrees, type MergedTree } from './merge-trees.ts';

/** Names of both sides of a merge. */
export interface SideLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** Names that Git has for merge bases which it merges. */
const baseLabels: SideLabels = { ours: 'Temporary merge branch 1', theirs: 'Temporary merge branch 2' };

/** Merges commits like Git's ort: it first merges their merge bases, if there are several, and those of them, and so on. */
export class RecursiveMerge {
  readonly #graph: CommitGraph;
  readonly #objects: MergeObjects;

  constructor(graph: CommitGraph, objects: MergeObjects) {
    this.#graph = graph;
    this.#objects = objects;
  }

  /**
   * Returns all merge bases of two nodes, the newest first.
   *
   * @throws {MergeTooLargeError}
   * @throws {NotEnoughMemoryError}
   */
  async basesOf(one: number, two: number): Promise<readonly number[]> {
    const { limits, work } = this.#objects;
    const memory = mergeBasesMemory(this.#graph);
    limits.hold(memory);
    const bases = await inTurns(work, cost.entries, limits.visiting(findMergeBases(this.#graph, one, two)));
    limits.hold(-memory);
    return bases;
  }

  /**
   * Merges two nodes. Without a merge base, the base is the empty tree.
   *
   * @param bases their merge bases, the newest first.
   * @param depth number of merges that wait for this one.
   * @throws {MergeTooLargeError}
   * @throws {NotEnoughMemoryError}
   */
  async merge(
    labels: SideLabels,
    one: number,
    two: number,
    bases: readonly number[],
    depth: number = 0,
  ): Promise<MergedTree> {
    let base = bases.at(-1);
    for (const next of bases.slice(0, -1).toReversed()) {
      this.#objects.limits.countBase();
      const both = [base as number, next] as const;
      // Conflicts stay in the tree, between markers that are longer at each depth.
      const { tree } = await this.merge(baseLabels, ...both, await this.basesOf(...both), depth + 1);
      base = this.#graph.addVirtual({ parents: both, tree });
    }
    const treeOf = (node: number): ReturnType<CommitGraph['treeOf']> => this.#graph.treeOf(node);
    const context = { objects: this.#objects, ...labels, depth };
    return mergeTrees(context, base === undefined ? undefined : treeOf(base), treeOf(one), treeOf(two));
  }
}
