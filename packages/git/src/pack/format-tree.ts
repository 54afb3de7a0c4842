import { fromByteText } from '../bytes/byte-text.ts';
import { objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import { isTreeMode } from '../object/tree.ts';

/** An entry of a tree to write. */
export interface NewTreeEntry {
  readonly mode: number;
  readonly oid: ObjectId;
}

/** Returns the body of a tree with these entries by name, each as byte text, in Git's order. */
export function formatTree(entries: ReadonlyMap<string, NewTreeEntry>): Uint8Array {
  const ordered = Array.from(entries, ([name, { mode, oid }]) => ({
    // Git sorts a folder as if its name ended in a slash.
    order: isTreeMode(mode) ? `${name}/` : name,
    head: fromByteText(`${mode.toString(8)} ${name}\0`),
    oid,
  })).toSorted((a, b) => (a.order < b.order ? -1 : 1));
  const body = new Uint8Array(ordered.reduce((sum, { head }) => sum + head.length + objectIdBytes, 0));
  let at = 0;
  for (const { head, oid } of ordered) {
    body.set(head, at);
    at += head.length;
    writeObjectId(oid, body, at);
    at += objectIdBytes;
  }
  return body;
}
