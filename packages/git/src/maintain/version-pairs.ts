import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import { TreeDifference } from '../graph/make/tree-difference.ts';
import { blobKind, treeKind } from '../object/kind.ts';
import { kindOfMode } from '../object/tree.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { copyBody, mayBeDelta } from './delta-maker.ts';
import { ordinalOf, type MergePlan } from './merge-plan.ts';

/** Bytes of the buffer for trees, to begin with. */
const usualTree = 64 * 1024;

/** Numbers of objects whose pairs wait while the trees of one commit are compared. Further pairs are left out. */
const waitingMax = 131_072;

/** Work for an object that is looked for, as a number of entries. */
const entriesALookUp = 32;

/** Receives two versions of a path: the numbers of the objects, the later one first. */
export type VisitPair = (version: number, earlier: number) => void | Promise<void>;

/** Finds the versions of paths by comparing trees. Opens each tree of a plan once. Needs the view's indexes and marks. */
export class VersionPairs {
  readonly #view: RepositoryView;
  readonly #plan: MergePlan;
  readonly #work: Work;
  readonly #difference: TreeDifference;
  /** Marks by ordinal the trees that were compared. */
  readonly #isCompared: Uint8Array;
  /** A copy of the tree, whose body is valid until the next read. */
  readonly #tree = new GrowingBuffer(usualTree);

  constructor(view: RepositoryView, plan: MergePlan, work: Work) {
    this.#view = view;
    this.#plan = plan;
    this.#work = work;
    this.#difference = new TreeDifference(view.engine.codec);
    this.#isCompared = new Uint8Array(plan.objects.length);
  }

  /** Compares the tree of a commit, which a node stands for, with that of its first parent, if it has one. */
  async compareWithParent(node: number, visit: VisitPair): Promise<void> {
    const { parentStarts, parents, nodeTrees } = this.#view.set;
    const first = parentStarts[node] as number;
    if (first === parentStarts[node + 1]) return;
    await this.#compare(nodeTrees[node] as number, nodeTrees[parents[first] as number] as number, visit);
  }

  /** Compares a tree with an earlier version, and all trees below them that differ. */
  async #compare(root: number, earlier: number, visit: VisitPair): Promise<void> {
    const open: number[] = [root, earlier];
    const files: number[] = [];
    while (open.length > 0) {
      const old = open.pop() as number;
      const tree = open.pop() as number;
      const ordinal = ordinalOf(this.#plan, tree);
      if (tree === old || ordinal < 0 || this.#isCompared[ordinal] !== 0) continue;
      this.#isCompared[ordinal] = 1;
      if (!mayBeDelta(this.#view, tree) || !mayBeDelta(this.#view, old)) continue;
      await visit(tree, old);
      const body = await copyBody(this.#view, tree, this.#tree);
      const before = (await this.#view.read(old)).body;
      const difference = this.#difference;
      difference.reset(body, before);
      for (let step = difference.next(); step !== 'end'; step = difference.next()) {
        if (this.#work.spend(cost.entries, difference.takePassed() + entriesALookUp)) await this.#work.yield();
        if (step === 'pause') continue;
        const kind = kindOfMode(difference.mode);
        const at = kind === treeKind ? difference.parentIdAt : kind === blobKind ? difference.parentFileAt : -1;
        if (at < 0) continue;
        const pair = [this.#view.findObject(body, difference.idAt), this.#view.findObject(before, at)] as const;
        const waiting = kind === treeKind ? open : files;
        if (pair[0] >= 0 && pair[1] >= 0 && waiting.length < waitingMax) waiting.push(...pair);
      }
    }
    for (let i = 0; i < files.length; i += 2) {
      if (this.#work.spend(cost.entries, entriesALookUp)) await this.#work.yield();
      await visit(files[i] as number, files[i + 1] as number);
    }
  }
}
