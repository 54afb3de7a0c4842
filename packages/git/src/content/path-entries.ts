import { noObject } from '../graph/pack-graph.ts';
import { objectIdAt } from '../object/object-id.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { entryOf } from './find-file.ts';
import { formOfMode } from './tree-entries.ts';

/** Entries of trees that are remembered: neighbours in a history share most trees. */
const rememberedMax = 4096;

/** The entry of one name in a tree. */
interface Known {
  /** Mode and id, which tell entries apart; empty if there is no such entry. */
  readonly key: string;
  /** Number of its tree in the graph; -1 if it is no folder. */
  readonly tree: number;
}

const absent: Known = { key: '', tree: -1 };

/** Compares commits by what they have at one path, as `git log -- path` does. Opens only the trees on that path. */
export class PathEntries {
  readonly #view: RepositoryView;
  readonly #path: readonly Uint8Array[];
  /** By level of the path, then by number of the tree. */
  readonly #known: readonly Map<number, Known>[];
  /** Number of trees that were opened. */
  opened = 0;

  /** @param path not the root. Call `loadIndexes` of the view first. */
  constructor(view: RepositoryView, path: readonly Uint8Array[]) {
    this.#view = view;
    this.#path = path;
    this.#known = path.map(() => new Map());
  }

  /** Tests if two commits' nodes have the same at the path. */
  async areSame(a: number, b: number): Promise<boolean> {
    let [left, right] = [this.#rootOf(a), this.#rootOf(b)];
    for (const level of this.#path.keys()) {
      if (left === right) return true;
      const [mine, theirs] = [await this.#entry(level, left), await this.#entry(level, right)];
      if (mine.key === theirs.key) return true;
      if (level === this.#path.length - 1) return false;
      [left, right] = [mine.tree, theirs.tree];
    }
    return true;
  }

  /** Tests if a commit's node has something at the path. */
  async has(node: number): Promise<boolean> {
    let tree = this.#rootOf(node);
    let key = '';
    for (const level of this.#path.keys()) ({ key, tree } = await this.#entry(level, tree));
    return key !== '';
  }

  #rootOf(node: number): number {
    const root = this.#view.set.nodeTrees[node] as number;
    if (root === noObject) throw new PackError('a stored commit has no tree in its graph');
    return root;
  }

  async #entry(level: number, tree: number): Promise<Known> {
    if (tree < 0) return absent;
    const known = this.#known[level] as Map<number, Known>;
    let found = known.get(tree);
    if (found !== undefined) return found;
    found = await this.#read(level, tree);
    if (known.size * this.#known.length >= rememberedMax) known.delete(known.keys().next().value as number);
    known.set(tree, found);
    return found;
  }

  async #read(level: number, tree: number): Promise<Known> {
    const view = this.#view;
    this.opened++;
    const { body } = await view.read(tree);
    const entry = await inTurns(view.work, cost.entries, entryOf(body, this.#path[level] as Uint8Array));
    if (entry === undefined) return absent;
    const { mode, type } = formOfMode(entry.mode);
    const key = `${mode} ${objectIdAt(entry.oid)}`;
    if (type !== 'tree' || level === this.#path.length - 1) return { key, tree: -1 };
    const object = view.findObject(entry.oid, 0);
    if (object < 0) throw new PackError(`a stored tree names ${objectIdAt(entry.oid)}, which is not stored`);
    return { key, tree: object };
  }
}
