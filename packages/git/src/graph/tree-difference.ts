import { compareObjectIds } from '../object/object-id.ts';
import { isTreeMode, kindOfMode, TreeCursor } from '../object/tree.ts';
import type { Codec } from '../ports/codec.ts';

/**
 * Compares raw trees without parsing them into objects: nearly all of two successive trees is the same bytes, which
 * are skipped in blocks.
 */

/** Entries of a tree that some parent's tree does not hold at the same path. Parallel arrays, reused between calls. */
export interface TreeDifference {
  /** How many there are. */
  count: number;
  /** Where each entry begins in the tree. */
  readonly starts: number[];
  /** Where the 20 bytes of each entry's id stand in the tree. */
  readonly idOffsets: number[];
  /** Mode of each entry, as a number. */
  readonly modes: number[];
  /** Where the id of the parent's subtree of the same name stands in the parent; -1 if it has no tree there. */
  readonly parentIds: number[];
}

export function newTreeDifference(): TreeDifference {
  return { count: 0, idOffsets: [], modes: [], parentIds: [], starts: [] };
}

const firstBlock = 1024;
const largestBlock = 8192;
const smallestBlock = 64;
/** Equal entries in a row after which blocks are tried again. */
const patience = 24;

/**
 * The entries of `tree` that `parent` does not hold under the same name with the same id as an object of the same
 * kind; all of them if `parent` is empty. Right for unsorted trees too: an entry is only left out if an equal one
 * stands in the parent.
 *
 * @throws {TreeError} where an entry cannot be read.
 */
export function treeDifference(codec: Codec, tree: Uint8Array, parent: Uint8Array, into: TreeDifference): void {
  into.count = 0;
  const a = new TreeCursor(tree);
  const b = new TreeCursor(parent);
  let equalEntries = patience;
  while (a.position < tree.length) {
    if (equalEntries >= patience) {
      skipEqual(codec, a, b);
      equalEntries = 0;
    }
    const start = a.position;
    if (!a.next()) return;
    const parentStart = b.position;
    if (!b.next()) {
      push(into, start, a, -1);
      continue;
    }
    const order = compareNames(a, b);
    if (order < 0) {
      push(into, start, a, -1);
      b.seek(parentStart);
    } else if (order > 0) {
      a.seek(start);
    } else if (compareObjectIds(tree, a.oidAt, parent, b.oidAt) === 0 && kindOfMode(a.mode) === kindOfMode(b.mode)) {
      equalEntries++;
      continue;
    } else {
      push(into, start, a, isTreeMode(b.mode) ? b.oidAt : -1);
    }
    equalEntries = 0;
  }
}

function push(into: TreeDifference, start: number, entry: TreeCursor, parentId: number): void {
  const i = into.count++;
  into.starts[i] = start;
  into.idOffsets[i] = entry.oidAt;
  into.modes[i] = entry.mode;
  into.parentIds[i] = parentId;
}

/** Moves both cursors over whole entries that are equal on both sides. */
function skipEqual(codec: Codec, a: TreeCursor, b: TreeCursor): void {
  const from = a.position;
  const end = from + equalBytes(codec, a.body, from, b.body, b.position);
  // The start of the entry that differs is searched from the last known one.
  for (;;) {
    const start = a.position;
    if (start < end && a.next() && a.position <= end) continue;
    a.seek(start);
    b.seek(b.position + start - from);
    return;
  }
}

/** How many bytes from `a` and `b` on are surely equal: not the most there are, but nearly. */
function equalBytes(codec: Codec, left: Uint8Array, a: number, right: Uint8Array, b: number): number {
  const most = Math.min(left.length - a, right.length - b);
  let done = 0;
  let block = firstBlock;
  while (done < most) {
    const size = Math.min(block, most - done);
    if (codec.equal(left, a + done, right, b + done, size)) {
      done += size;
      if (block < largestBlock) block *= 2;
    } else {
      if (size <= smallestBlock) return done;
      block = Math.max(smallestBlock, Math.min(size, block) >>> 2);
    }
  }
  return done;
}

/** Order of two entries as trees sort: names bytewise, a folder's as if it ended in `/`. */
function compareNames(a: TreeCursor, b: TreeCursor): number {
  let i = a.nameStart;
  let j = b.nameStart;
  while (i < a.nameEnd && j < b.nameEnd && a.body[i] === b.body[j]) {
    i++;
    j++;
  }
  if (i === a.nameEnd && j === b.nameEnd) return 0;
  const x = i < a.nameEnd ? (a.body[i] as number) : isTreeMode(a.mode) ? 0x2f : 0;
  const y = j < b.nameEnd ? (b.body[j] as number) : isTreeMode(b.mode) ? 0x2f : 0;
  return x - y || (i === a.nameEnd ? -1 : 1);
}
