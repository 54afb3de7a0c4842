import { toByteText } from '../bytes/byte-text.ts';
import { compareNames, isSameEntry } from '../diff/compare-trees.ts';
import type { ObjectSource } from '../diff/object-source.ts';
import type { ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import type { MergeLimits } from './merge-limits.ts';
import { versionAt, type Versions } from './path-info.ts';

/** Trees of base, ours and theirs; undefined where a tree is missing. */
export type Trees = readonly (ObjectId | undefined)[];

/** Entries of up to three trees. */
export interface FolderEntries {
  /** By name, those that are not equal in all three, in the order in which Git visits them. */
  readonly differing: ReadonlyMap<string, Versions>;
  /** True if some entries are equal in all three. */
  readonly hasEqual: boolean;
}

/** Work for one name, as a number of table entries. */
const entriesAName = 100;

/**
 * Reads up to three trees side by side.
 *
 * @throws {MergeTooLargeError}
 */
export async function differingEntries(
  objects: ObjectSource,
  trees: Trees,
  limits: MergeLimits,
): Promise<FolderEntries> {
  const differing = new Map<string, Versions>();
  const names: string[][] = [[], [], []];
  let hasEqual = false;
  let memory = 0;
  const cursors: (TreeCursor | undefined)[] = [];
  for (const tree of trees) {
    // A copy, since the body is only valid until the next read.
    const body = tree === undefined ? new Uint8Array(0) : (await objects.read(tree)).body.slice();
    limits.hold(body.length);
    memory += body.length;
    const cursor = new TreeCursor(body);
    cursors.push(cursor.next() ? cursor : undefined);
  }
  for (let least = leastOf(cursors); least !== undefined; least = leastOf(cursors)) {
    limits.count();
    if (objects.work.spend(cost.entries, entriesAName)) await objects.work.yield();
    const sides = sidesAt(cursors, least);
    const [base, ours, theirs] = cursors as [TreeCursor, TreeCursor, TreeCursor];
    if (sides.length === 3 && isSameEntry(base, ours) && isSameEntry(base, theirs)) {
      hasEqual = true;
    } else {
      const name = toByteText(least.body, least.nameStart, least.nameEnd);
      const versions: Versions = differing.get(name) ?? [undefined, undefined, undefined];
      for (const side of sides) {
        versions[side as 0 | 1 | 2] = versionAt(cursors[side] as TreeCursor);
        names[side]?.push(name);
      }
      differing.set(name, versions);
    }
    for (const side of sides) if (cursors[side]?.next() !== true) cursors[side] = undefined;
  }
  limits.hold(-memory);
  return { differing: inOrder(differing, names), hasEqual };
}

/**
 * Git takes the least name in front of any tree, and looks for it further back in the others: there, a folder stands
 * behind the names that only begin like its own. The order decides between renames of equal similarity.
 */
function inOrder(
  differing: ReadonlyMap<string, Versions>,
  names: readonly (readonly string[])[],
): Map<string, Versions> {
  const ordered = new Map<string, Versions>();
  const places = names.map(() => 0);
  for (;;) {
    let least: string | undefined;
    for (const [side, own] of names.entries()) {
      let place = places[side] as number;
      while (place < own.length && ordered.has(own[place] as string)) place++;
      places[side] = place;
      const name = own[place];
      if (name !== undefined && (least === undefined || name < least)) least = name;
    }
    if (least === undefined) return ordered;
    ordered.set(least, differing.get(least) as Versions);
  }
}

/** Returns the cursor at the first name; undefined if all are at their ends. */
function leastOf(cursors: readonly (TreeCursor | undefined)[]): TreeCursor | undefined {
  let least: TreeCursor | undefined;
  for (const cursor of cursors) {
    if (cursor !== undefined && (least === undefined || compareNames(cursor, least) < 0)) least = cursor;
  }
  return least;
}

function sidesAt(cursors: readonly (TreeCursor | undefined)[], at: TreeCursor): number[] {
  const sides: number[] = [];
  for (const [side, cursor] of cursors.entries()) {
    if (cursor !== undefined && compareNames(cursor, at) === 0) sides.push(side);
  }
  return sides;
}
