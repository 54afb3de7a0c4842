import { toByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import type { ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { entryOrder, type FormattedEntry } from '../pack/format-tree.ts';
import { cost } from '../work/costs.ts';
import { inTurns, type Steps } from '../work/loops.ts';
import type { MergeObjects } from './merge-objects.ts';

/** By folder: the tree whose entries stay in the result of a merge, except for those that differ. */
export type KeptTrees = ReadonlyMap<string, ObjectId>;

/** Work for one tree entry, as a number of table entries. */
const entriesAnEntry = 20;

/**
 * Returns the body of a tree without the replaced entries, and with `entries`, which are in order. Steps count table
 * entries.
 */
export function* replacingEntries(
  body: Uint8Array,
  isReplaced: (name: string) => boolean,
  entries: readonly FormattedEntry[],
): Steps<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const cursor = new TreeCursor(body);
  let [from, next] = [0, 0];
  for (let start = 0; cursor.next(); start = cursor.position) {
    yield entriesAnEntry;
    const name = toByteText(body, cursor.nameStart, cursor.nameEnd);
    const order = entryOrder(name, cursor.mode);
    const first = next;
    while (next < entries.length && (entries[next] as FormattedEntry).order < order) next++;
    const drops = isReplaced(name);
    if (next === first && !drops) continue;
    pieces.push(body.subarray(from, start));
    for (const { bytes } of entries.slice(first, next)) pieces.push(bytes);
    from = drops ? cursor.position : start;
  }
  pieces.push(body.subarray(from));
  for (const { bytes } of entries.slice(next)) pieces.push(bytes);
  return concatenate(pieces);
}

/** Bytes of a set of names for each byte of their tree. */
const memoryAByte = 4;

/** The names in the kept trees of a merge. Each tree is read once, for any number of paths. */
export class KeptNames {
  /** Bytes that the merge holds for them. */
  memory = 0;
  readonly #objects: MergeObjects;
  readonly #kept: KeptTrees;
  /** By folder. */
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(objects: MergeObjects, kept: KeptTrees) {
    this.#objects = objects;
    this.#kept = kept;
  }

  /**
   * Tests if the kept tree of a folder has a name, as byte text.
   *
   * @throws {NotEnoughMemoryError}
   */
  async has(folder: string, name: string): Promise<boolean> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known.has(name);
    const tree = this.#kept.get(folder);
    if (tree === undefined) return false;
    const body = (await this.#objects.read(tree)).body.slice();
    const memory = memoryAByte * body.length;
    this.#objects.limits.hold(memory);
    this.memory += memory;
    const names = await inTurns(this.#objects.work, cost.entries, namesIn(body));
    this.#names.set(folder, names);
    return names.has(name);
  }
}

/** Returns the names in a tree, as byte texts. Steps count table entries. */
function* namesIn(body: Uint8Array): Steps<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const cursor = new TreeCursor(body); cursor.next();) {
    yield entriesAnEntry;
    names.add(toByteText(body, cursor.nameStart, cursor.nameEnd));
  }
  return names;
}
