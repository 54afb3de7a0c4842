import { toByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import type { ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { entryOrder, type FormattedEntry } from '../pack/format-tree.ts';
import type { Steps } from '../work/loops.ts';

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

/** Finds the names in a tree that begin like this, as byte texts. Steps count table entries. */
export function* findingNames(body: Uint8Array, start: string): Steps<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const cursor = new TreeCursor(body); cursor.next();) {
    yield entriesAnEntry;
    const name = toByteText(body, cursor.nameStart, cursor.nameEnd);
    if (name.startsWith(start)) found.add(name);
  }
  return found;
}
