import { compareObjectIds } from '../../object/object-id.ts';
import { blobKind } from '../../object/kind.ts';
import { isTreeMode, kindOfMode, TreeCursor } from '../../object/tree.ts';
import type { Codec } from '../../ports/codec.ts';
import { entriesAStop } from '../../work/loops.ts';

/**
 * Compares raw trees without parsing them into objects: nearly all of two successive trees is the same bytes, which
 * are skipped in blocks.
 */

const firstBlock = 1024;
const largestBlock = 8192;
const smallestBlock = 64;
/** Equal entries in a row after which blocks are tried again. */
const patience = 24;
/** Most bytes that are skipped in one go. */
const skippedMax = 512 * 1024;

/** Result of a step: an entry that differs, the end of the tree, or a pause in which other work may run. */
export type DifferenceStep = 'differs' | 'end' | 'pause';

/**
 * Finds the entries of `tree` that `parent` does not hold under the same name with the same id as an object of the same
 * kind; all of them if `parent` is empty. Right for unsorted trees too: an entry is only left out if an equal one
 * stands in the parent. Reused from tree to tree.
 */
export class TreeDifference {
  readonly #codec: Codec;
  readonly #tree = new TreeCursor();
  readonly #parent = new TreeCursor();
  #equalEntries = 0;
  /** Entries of tables that the steps count for, since they were last counted. */
  #passed = 0;
  /** Start of the current entry in the tree; -1 before the first entry, infinite after the last one. */
  start = -1;
  /** Place of the 20 bytes of its id in the tree. */
  idAt = 0;
  /** Its mode, as a number. */
  mode = 0;
  /** Place of the id of the parent's subtree of the same name, in the parent; -1 if the parent has no tree there. */
  parentIdAt = -1;
  /** Place of the id of the parent's file of the same name, in the parent; -1 if the parent has no file there. */
  parentFileAt = -1;

  constructor(codec: Codec) {
    this.#codec = codec;
  }

  reset(tree: Uint8Array, parent: Uint8Array): void {
    this.#tree.reset(tree);
    this.#parent.reset(parent);
    this.#equalEntries = patience;
    this.start = -1;
  }

  /** How many entries of tables the steps since the last call count for. */
  takePassed(): number {
    const passed = this.#passed;
    this.#passed = 0;
    return passed;
  }

  /**
   * Moves on to the next entry that differs.
   *
   * @throws {TreeError} where an entry cannot be read.
   */
  next(): DifferenceStep {
    const a = this.#tree;
    const b = this.#parent;
    const { length } = a.body;
    while (a.position < length) {
      if (this.#passed >= entriesAStop) return 'pause';
      if (this.#equalEntries >= patience) {
        const from = a.position;
        const isCut = skipEqual(this.#codec, a, b);
        this.#passed += (a.position - from) / bytesAnEntry;
        if (isCut) continue;
        this.#equalEntries = 0;
      }
      const start = a.position;
      if (!a.next()) break;
      this.#passed += entriesAStep + (a.position - start) / bytesAnEntry;
      const parentStart = b.position;
      if (!b.next()) return this.#found(start, undefined);
      const order = compareNames(a, b);
      if (order < 0) {
        b.seek(parentStart);
        return this.#found(start, undefined);
      }
      if (order > 0) {
        a.seek(start);
      } else if (isSameEntry(a, b)) {
        this.#equalEntries++;
        continue;
      } else {
        return this.#found(start, b);
      }
      this.#equalEntries = 0;
    }
    this.start = Infinity;
    return 'end';
  }

  /** `parent` is at the entry of the same name, if there is one. */
  #found(start: number, parent: TreeCursor | undefined): 'differs' {
    this.#equalEntries = 0;
    this.start = start;
    this.idAt = this.#tree.oidAt;
    this.mode = this.#tree.mode;
    this.parentIdAt = parent !== undefined && isTreeMode(parent.mode) ? parent.oidAt : -1;
    this.parentFileAt = parent !== undefined && kindOfMode(parent.mode) === blobKind ? parent.oidAt : -1;
    return 'differs';
  }
}

/** Entries of tables that a comparison of two entries counts for, and bytes of trees that one of them counts for. */
const entriesAStep = 6;
const bytesAnEntry = 8;

function isSameEntry(a: TreeCursor, b: TreeCursor): boolean {
  return compareObjectIds(a.body, a.oidAt, b.body, b.oidAt) === 0 && kindOfMode(a.mode) === kindOfMode(b.mode);
}

/** Moves both cursors over whole entries that are equal on both sides. Whether more may follow that are equal. */
function skipEqual(codec: Codec, a: TreeCursor, b: TreeCursor): boolean {
  const from = a.position;
  const skipped = equalBytes(codec, a.body, from, b.body, b.position);
  const end = from + skipped;
  // The start of the entry that differs is searched from the last known one.
  for (;;) {
    const start = a.position;
    if (start < end && a.next() && a.position <= end) continue;
    a.seek(start);
    b.seek(b.position + start - from);
    return skipped === skippedMax && start > from;
  }
}

/** How many bytes from `a` and `b` on are surely equal: not the most there are, but nearly; at most {@link skippedMax}. */
function equalBytes(codec: Codec, left: Uint8Array, a: number, right: Uint8Array, b: number): number {
  const most = Math.min(left.length - a, right.length - b, skippedMax);
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
