import { parseCommit } from './commit.ts';
import { commitKind, tagKind, treeKind, type KindNumber } from './kind.ts';
import { parseTag } from './tag.ts';
import { isTreeMode, TreeCursor, TreeError } from './tree.ts';

/**
 * Tests if the service accepts the body of an object (GIT-146): commits, trees and tags parse, and no tree has a name
 * that is empty, `.`, `..`, `.git` in any case, or contains `/`. With `strict`, tree entries must also be sorted in
 * Git's order and unique. Accepts everything that only causes warnings of `git fsck`, since old public history is full
 * of it.
 */
export function isValidObject(kind: KindNumber, body: Uint8Array, strict: boolean): boolean {
  switch (kind) {
    case commitKind:
      return parseCommit(body) !== undefined;
    case treeKind:
      return new TreeCheck(body, strict).run(Infinity) === true;
    case tagKind:
      return parseTag(body) !== undefined;
    default:
      return true;
  }
}

/** Checks one tree in parts. */
export class TreeCheck {
  readonly #cursor: TreeCursor;
  readonly #order: EntryOrder | undefined;

  constructor(body: Uint8Array, strict: boolean) {
    this.#cursor = new TreeCursor(body);
    this.#order = strict ? new EntryOrder(body) : undefined;
  }

  /** Number of bytes of the body that were checked. */
  get position(): number {
    return this.#cursor.position;
  }

  /**
   * Checks up to the first entry that ends at `end` or after it. Undefined: there are more entries, and no error so
   * far.
   */
  run(end: number): boolean | undefined {
    const cursor = this.#cursor;
    const order = this.#order;
    try {
      while (cursor.next()) {
        const { nameStart, nameEnd } = cursor;
        if (isForbiddenName(cursor.body, nameStart, nameEnd)) return false;
        if (order !== undefined && !order.follows(nameStart, nameEnd, isTreeMode(cursor.mode))) return false;
        if (cursor.position >= end) return undefined;
      }
    } catch (error) {
      if (error instanceof TreeError) return false;
      throw error;
    }
    return true;
  }
}

const slash = 47;
const dot = 46;

function isForbiddenName(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (body[at] === slash) return true;
  if (body[start] !== dot) return false;
  const length = end - start;
  if (length === 1 || (length === 2 && body[start + 1] === dot)) return true;
  // The bit with the value 32 is the difference between upper-case and lower-case letters.
  return (
    length === 4 &&
    ((body[start + 1] as number) | 32) === 103 &&
    ((body[start + 2] as number) | 32) === 105 &&
    ((body[start + 3] as number) | 32) === 116
  );
}

/**
 * Order and uniqueness of tree entries: bytewise, where a folder's name counts as ending in `/`. So a file and a
 * folder of one name may stand apart, with `name.x` or `name-x` between them; to find such twins, files whose name
 * begins the current one are kept at hand.
 */
class EntryOrder {
  readonly #body: Uint8Array;
  /** Start and end of names of files that a folder of the same name may still follow; each begins the next. */
  #open: number[] | undefined;
  #start = -1;
  #end = -1;
  #folder = false;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** Tests if this entry may follow those before it. */
  follows(start: number, end: number, folder: boolean): boolean {
    const fits = this.#start < 0 || this.#comesAfter(start, end, folder);
    this.#start = start;
    this.#end = end;
    this.#folder = folder;
    return fits;
  }

  #comesAfter(start: number, end: number, folder: boolean): boolean {
    const body = this.#body;
    const shared = Math.min(this.#end - this.#start, end - start);
    for (let i = 0; i < shared; i++) {
      const difference = (body[start + i] as number) - (body[this.#start + i] as number);
      if (difference !== 0) return difference > 0;
    }
    if (this.#end - this.#start === end - start) return false;
    const before = this.#start + shared < this.#end ? (body[this.#start + shared] as number) : this.#folder ? slash : 0;
    const after = start + shared < end ? (body[start + shared] as number) : folder ? slash : 0;
    if (before >= after) return false;
    if (!this.#folder && after < slash) (this.#open ??= []).push(this.#start, this.#end);
    return this.#hasNoTwin(start, end, folder);
  }

  #hasNoTwin(start: number, end: number, folder: boolean): boolean {
    const open = this.#open;
    if (open === undefined) return true;
    while (open.length > 0) {
      const openStart = open.at(-2) as number;
      const length = (open.at(-1) as number) - openStart;
      const begins = length <= end - start && this.#equal(openStart, start, length);
      if (begins && length === end - start) return !folder;
      if (begins && (this.#body[start + length] as number) < slash) return true;
      open.length -= 2;
    }
    return true;
  }

  #equal(a: number, b: number, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#body[a + i] !== this.#body[b + i]) return false;
    return true;
  }
}
