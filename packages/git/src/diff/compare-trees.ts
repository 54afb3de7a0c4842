import { toByteText } from '../bytes/byte-text.ts';
import { compareObjectIds, objectIdAt, type ObjectId } from '../object/object-id.ts';
import { canonicalMode, isTreeMode, TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import type { Change, Version } from './change.ts';
import type { ObjectSource } from './object-source.ts';

export interface TreeLimits {
  /** Receives bytes that the comparison holds from now on, or no longer if negative. It may throw to end it. */
  readonly hold?: (bytes: number) => void;
  /** Maximum number of changes. Default: no limit. */
  readonly changesMax?: number;
}

/** Source of the trees that are compared. */
export type TreeSource = Pick<ObjectSource, 'work' | 'read'>;

/** Bytes per change, besides its path. */
const memoryAChange = 400;

/** Number of entries that one entry counts for. */
const entriesAnEntry = 8;

/** Trees below each other at most, as `core.maxTreeDepth` of Git has it. */
const depthMax = 4096;

/** More paths differ than the caller wants to know. */
export class TooManyChangesError extends Error {
  override readonly name = 'TooManyChangesError';
}

/**
 * Compares two trees by path, like `git diff-tree -r`. Opens only trees that differ. Returns the changes in the order of
 * their paths as bytes, without renames; a file in the place of a folder is deleted and added paths.
 *
 * @param from id of a tree; undefined for the empty one.
 * @throws {TooManyChangesError}
 * @throws {NotEnoughMemoryError}
 */
export async function compareTrees(
  objects: TreeSource,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
  { hold = () => undefined, changesMax = Infinity }: TreeLimits = {},
): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of changesBetween(objects, from, to, hold)) {
    if (changes.length >= changesMax) throw new TooManyChangesError(`more than ${changesMax} paths differ`);
    hold(memoryAChange + ((change.new ?? change.old)?.path.length ?? 0));
    changes.push(change);
  }
  return changes;
}

/**
 * Yields the changes that {@link compareTrees} returns. Holds the trees on the path of the last one.
 *
 * @throws {TooManyChangesError} if trees are too deep.
 */
export async function* changesBetween(
  objects: TreeSource,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
  hold: (bytes: number) => void,
): AsyncGenerator<Change, void, undefined> {
  if (from === to) return;
  /** Pairs of different trees without a change: without files, few trees may make any number of paths. */
  const unchanged = new Set<string>();
  let found = 0;
  const pairs = [await openPair(objects, '', from, to, hold, 0)];
  for (let pair = pairs.at(-1); pair !== undefined; pair = pairs.at(-1)) {
    const order = pair.order();
    if (order === undefined) {
      pairs.pop();
      hold(-pair.memory);
      if (found === pair.changesBefore) {
        hold(memoryAChange);
        unchanged.add(pair.key);
      }
      continue;
    }
    if (objects.work.spend(cost.entries, entriesAnEntry)) await objects.work.yield();
    const left = order <= 0 ? pair.old : undefined;
    const right = order >= 0 ? pair.new : undefined;
    if (left !== undefined && right !== undefined && isSameEntry(left, right)) {
      pair.pass(order);
      continue;
    }
    const name = (left ?? right) as TreeCursor;
    const path = pair.prefix + toByteText(name.body, name.nameStart, name.nameEnd);
    if (isTreeMode(name.mode)) {
      const [old, to] = [left, right].map((side) => side && objectIdAt(side.body, side.oidAt));
      pair.pass(order);
      if (unchanged.has(keyOf(old, to))) continue;
      if (pairs.length >= depthMax) throw new TooManyChangesError(`trees are more than ${depthMax} levels deep`);
      pairs.push(await openPair(objects, `${path}/`, old, to, hold, found));
      continue;
    }
    const change = { old: left && versionAt(left, path), new: right && versionAt(right, path) };
    pair.pass(order);
    found++;
    yield change;
  }
  hold(-memoryAChange * unchanged.size);
}

function keyOf(from: ObjectId | undefined, to: ObjectId | undefined): string {
  return `${from} ${to}`;
}

async function openPair(
  objects: TreeSource,
  prefix: string,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
  hold: (bytes: number) => void,
  changesBefore: number,
): Promise<TreePair> {
  hold(prefix.length);
  const old = await copyOf(objects, from, hold);
  return new TreePair(prefix, old, await copyOf(objects, to, hold), keyOf(from, to), changesBefore);
}

/** Copies the body, since it is only valid until the next read. */
async function copyOf(
  objects: TreeSource,
  oid: ObjectId | undefined,
  hold: (bytes: number) => void,
): Promise<Uint8Array> {
  if (oid === undefined) return new Uint8Array(0);
  const { body } = await objects.read(oid);
  hold(body.length);
  return body.slice();
}

function versionAt({ body, mode, oidAt }: TreeCursor, path: string): Version {
  return { path, mode: canonicalMode(mode), oid: objectIdAt(body, oidAt) };
}

/** Compares what entries of one name stand for. */
export function isSameEntry(a: TreeCursor, b: TreeCursor): boolean {
  return canonicalMode(a.mode) === canonicalMode(b.mode) && compareObjectIds(a.body, a.oidAt, b.body, b.oidAt) === 0;
}

/** Two trees at one path, each with the entry that comes next. */
class TreePair {
  readonly prefix: string;
  readonly old: TreeCursor;
  readonly new: TreeCursor;
  /** Names both trees. */
  readonly key: string;
  /** Number of changes that were found before. */
  readonly changesBefore: number;
  #hasOld: boolean;
  #hasNew: boolean;

  constructor(prefix: string, from: Uint8Array, to: Uint8Array, key: string, changesBefore: number) {
    this.prefix = prefix;
    this.key = key;
    this.changesBefore = changesBefore;
    this.old = new TreeCursor(from);
    this.new = new TreeCursor(to);
    this.#hasOld = this.old.next();
    this.#hasNew = this.new.next();
  }

  get memory(): number {
    return this.prefix.length + this.old.body.length + this.new.body.length;
  }

  /** Negative: only the old tree has the next path; positive: only the new one; 0: both; undefined at the end. */
  order(): number | undefined {
    if (!this.#hasOld) return this.#hasNew ? 1 : undefined;
    return this.#hasNew ? compareNames(this.old, this.new) : -1;
  }

  /** Moves behind the path that {@link TreePair.order} was about. */
  pass(order: number): void {
    if (order <= 0) this.#hasOld = this.old.next();
    if (order >= 0) this.#hasNew = this.new.next();
  }
}

/** Compares in the order of trees: a folder counts as if its name ended with a slash. */
export function compareNames(a: TreeCursor, b: TreeCursor): number {
  const [length, other] = [a.nameEnd - a.nameStart, b.nameEnd - b.nameStart];
  const both = Math.min(length, other);
  for (let i = 0; i < both; i++) {
    const difference = (a.body[a.nameStart + i] as number) - (b.body[b.nameStart + i] as number);
    if (difference !== 0) return difference;
  }
  return behindName(a, length, other) - behindName(b, other, length);
}

const slash = 47;

/** Returns the byte of `a` behind the part that both names have; 0 at its end. */
function behindName(a: TreeCursor, length: number, other: number): number {
  if (length > other) return a.body[a.nameStart + other] as number;
  return isTreeMode(a.mode) ? slash : 0;
}
