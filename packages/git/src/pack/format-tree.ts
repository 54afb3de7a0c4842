import { fromByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import { objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import { isTreeMode } from '../object/tree.ts';

/** An entry of a tree to write. */
export interface NewTreeEntry {
  readonly mode: number;
  readonly oid: ObjectId;
}

/** An entry in the form of trees. */
export interface FormattedEntry {
  /** Place among others, as byte text: Git sorts a folder as if its name ended in a slash. */
  readonly order: string;
  readonly bytes: Uint8Array;
}

/** Returns the entries of a tree by name, each as byte text, in Git's order. */
export function formatEntries(entries: ReadonlyMap<string, NewTreeEntry>): FormattedEntry[] {
  return Array.from(entries, ([name, { mode, oid }]) => {
    const head = fromByteText(`${mode.toString(8)} ${name}\0`);
    const bytes = new Uint8Array(head.length + objectIdBytes);
    bytes.set(head);
    writeObjectId(oid, bytes, head.length);
    return { order: entryOrder(name, mode), bytes };
  }).toSorted((a, b) => (a.order < b.order ? -1 : 1));
}

/** Returns the place of an entry among others. */
export function entryOrder(name: string, mode: number): string {
  return isTreeMode(mode) ? `${name}/` : name;
}

/** Returns the body of a tree with these entries by name, each as byte text, in Git's order. */
export function formatTree(entries: ReadonlyMap<string, NewTreeEntry>): Uint8Array {
  return concatenate(formatEntries(entries).map(({ bytes }) => bytes));
}
