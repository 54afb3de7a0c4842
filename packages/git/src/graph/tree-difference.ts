import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import type { Codec } from '../ports/codec.ts';

/**
 * Compares raw trees without parsing them into objects: nearly all of two successive trees is the same bytes, which
 * are skipped in blocks.
 */

/** Mode of a submodule link: its id names no object of this repository. */
export const gitlinkMode = 0o160000;
export const treeMode = 0o040000;
/** Bits of a mode that tell the type of the entry, and two such types. */
const typeMask = 0o170000;
const fileType = 0o100000;
const symbolicLinkType = 0o120000;

/** Entries of a tree that some parent's tree does not hold at the same path. Parallel arrays, reused between calls. */
export interface TreeDifference {
  /** How many there are. */
  count: number;
  /** Where the 20 bytes of each entry's id stand in the tree. */
  readonly idOffsets: number[];
  /** Mode of each entry, as a number. */
  readonly modes: number[];
  /** Where the id of the parent's subtree of the same name stands in the parent; -1 if it has no tree there. */
  readonly parentIds: number[];
  /** Where each entry begins in the tree. */
  readonly starts: number[];
}

export function newTreeDifference(): TreeDifference {
  return { count: 0, idOffsets: [], modes: [], parentIds: [], starts: [] };
}

/** A tree body whose entries do not parse. */
export class BrokenTreeError extends Error {
  override readonly name = 'BrokenTreeError';
}

/** All entries of `tree`, as if compared with an empty one. */
export function allEntries(tree: Uint8Array, into: TreeDifference): void {
  into.count = 0;
  let at = 0;
  while (at < tree.length) {
    const id = entryIdOffset(tree, at);
    push(into, at, id, entryMode(tree, at), -1);
    at = id + objectIdBytes;
  }
}

const firstBlock = 1024;
const largestBlock = 8192;
/** Equal entries in a row after which blocks are tried again. */
const patience = 24;

/**
 * The entries of `tree` that `parent` does not hold under the same name with the same id as an object of the same
 * sort. Right for unsorted trees too: an entry is only left out if an equal one stands in the parent.
 *
 * @throws {BrokenTreeError}
 */
export function treeDifference(codec: Codec, tree: Uint8Array, parent: Uint8Array, into: TreeDifference): void {
  into.count = 0;
  let a = 0;
  let b = 0;
  let equalEntries = patience;
  while (a < tree.length) {
    if (b >= parent.length) {
      const id = entryIdOffset(tree, a);
      push(into, a, id, entryMode(tree, a), -1);
      a = id + objectIdBytes;
      continue;
    }
    if (equalEntries >= patience) {
      const skipped = equalBytes(codec, tree, a, parent, b);
      // Only whole entries may be skipped, so the start of the one that differs is searched from the last known one.
      const end = a + skipped;
      let next = a;
      while (next < tree.length) {
        const after = entryIdOffset(tree, next) + objectIdBytes;
        if (after > end) break;
        next = after;
      }
      b += next - a;
      a = next;
      equalEntries = 0;
      if (a >= tree.length || b >= parent.length) continue;
    }
    const idA = entryIdOffset(tree, a);
    const idB = entryIdOffset(parent, b);
    const order = compareNames(tree, a, idA, parent, b, idB);
    if (order === 0) {
      const modeA = entryMode(tree, a);
      const modeB = entryMode(parent, b);
      const same = compareObjectIds(tree, idA, parent, idB) === 0 && objectSort(modeA) === objectSort(modeB);
      if (same) {
        equalEntries++;
      } else {
        equalEntries = 0;
        push(into, a, idA, modeA, objectSort(modeB) === treeMode ? idB : -1);
      }
      a = idA + objectIdBytes;
      b = idB + objectIdBytes;
    } else if (order < 0) {
      equalEntries = 0;
      push(into, a, idA, entryMode(tree, a), -1);
      a = idA + objectIdBytes;
    } else {
      equalEntries = 0;
      b = idB + objectIdBytes;
    }
  }
}

/** Modes as {@link entryMode} gives them fall into three sorts: trees, gitlinks, and all that are blobs. */
function objectSort(mode: number): number {
  return mode === treeMode || mode === gitlinkMode ? mode : 0;
}

function push(into: TreeDifference, start: number, id: number, mode: number, parentId: number): void {
  const i = into.count++;
  into.starts[i] = start;
  into.idOffsets[i] = id;
  into.modes[i] = mode;
  into.parentIds[i] = parentId;
}

/** How many bytes from `a` and `b` on are surely equal; a multiple of the block sizes tried, not the most there are. */
function equalBytes(codec: Codec, left: Uint8Array, a: number, right: Uint8Array, b: number): number {
  const most = Math.min(left.length - a, right.length - b);
  let done = 0;
  let block = firstBlock;
  while (done < most) {
    const size = Math.min(block, most - done);
    if (!codec.equal(left, a + done, right, b + done, size)) {
      if (block === 64) return done;
      block = Math.max(64, block >>> 2);
      if (size <= 64) return done;
      continue;
    }
    done += size;
    if (block < largestBlock) block *= 2;
  }
  return done;
}

/** Where the id of the entry that begins at `at` stands. @throws {BrokenTreeError} */
export function entryIdOffset(tree: Uint8Array, at: number): number {
  let i = at;
  const last = tree.length - objectIdBytes;
  while (i < last && tree[i] !== 0) i++;
  if (i >= last || i === at) throw new BrokenTreeError('tree entry is cut off');
  return i + 1;
}

/**
 * The octal mode at the start of an entry. Old trees write `040000`, so it is read as a number, and odd permissions, so
 * that of a folder is always {@link treeMode}. As in Git, what is no folder, file or symbolic link is a
 * {@link gitlinkMode}: whoever reads it otherwise than a client takes a history for complete that no client can have.
 *
 * @throws {BrokenTreeError}
 */
export function entryMode(tree: Uint8Array, at: number): number {
  let mode = 0;
  for (let i = at; i < at + 8; i++) {
    const digit = tree[i] as number;
    if (digit === 0x20 && i > at) return canonicalMode(mode);
    if (digit < 0x30 || digit > 0x37) break;
    mode = mode * 8 + digit - 0x30;
  }
  throw new BrokenTreeError('tree entry has no mode');
}

function canonicalMode(mode: number): number {
  const type = mode & typeMask;
  if (type === treeMode) return treeMode;
  return type === fileType || type === symbolicLinkType ? mode : gitlinkMode;
}

/** Order of two entries as trees sort: names bytewise, a tree's as if it ended in `/`. */
function compareNames(left: Uint8Array, a: number, aId: number, right: Uint8Array, b: number, bId: number): number {
  let i = nameStart(left, a);
  let j = nameStart(right, b);
  const aEnd = aId - 1;
  const bEnd = bId - 1;
  while (i < aEnd && j < bEnd && left[i] === right[j]) {
    i++;
    j++;
  }
  if (i === aEnd && j === bEnd) return 0;
  const x = i < aEnd ? (left[i] as number) : isTreeEntry(left, a) ? 0x2f : 0;
  const y = j < bEnd ? (right[j] as number) : isTreeEntry(right, b) ? 0x2f : 0;
  return x - y || (i === aEnd ? -1 : 1);
}

function nameStart(tree: Uint8Array, at: number): number {
  let i = at;
  while (tree[i] !== 0x20) {
    if (i > at + 7) throw new BrokenTreeError('tree entry has no mode');
    i++;
  }
  return i + 1;
}

function isTreeEntry(tree: Uint8Array, at: number): boolean {
  return entryMode(tree, at) === treeMode;
}
