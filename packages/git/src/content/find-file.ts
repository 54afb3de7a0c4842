import { noObject } from '../graph/pack-graph.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../work/loops.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { formOfMode } from './tree-entries.ts';

/** A file or symbolic link that was found. */
export interface FoundFile {
  /** Number of the blob in the graph of the view. */
  readonly object: number;
  readonly hash: ObjectId;
}

/** Work for one tree entry, as a number of table entries. */
const entriesAnEntry = 6;

const [slash, dot] = [47, 46];

/** Trees below each other: Git itself goes down 2,048 of them, or 4,096 in older releases (`core.maxTreeDepth`). */
export const partsMax = 4096;

/**
 * The parts of a path, as bytes (REPO-147): empty and `.` ones are dropped. Undefined for a path with `..`, for one that
 * has no part left, and for one of more than {@link partsMax}: a caller in the process may pass one of any length.
 */
export function pathParts(path: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  for (let start = 0; start <= path.length;) {
    const next = path.indexOf(slash, start);
    const end = next < 0 ? path.length : next;
    const part = path.subarray(start, end);
    if (isDots(part, 2)) return undefined;
    if (part.length > 0 && !isDots(part, 1) && parts.push(part) > partsMax) return undefined;
    start = end + 1;
  }
  return parts.length === 0 ? undefined : parts;
}

function isDots(part: Uint8Array, count: number): boolean {
  return part.length === count && part.every((byte) => byte === dot);
}

/**
 * The blob at a path in the tree of a commit's node; undefined if nothing is there, or a folder or submodule is. Reads the
 * trees on the way, and no more.
 */
export async function findFile(
  view: RepositoryView,
  commitNode: number,
  path: readonly Uint8Array[],
): Promise<FoundFile | undefined> {
  await view.loadIndexes();
  let tree = view.set.nodeTrees[commitNode] as number;
  if (tree === noObject) throw new PackError('a stored commit has no tree in its graph');
  for (const [i, part] of path.entries()) {
    const entry = await inTurns(view.work, cost.entries, entryOf((await view.read(tree)).body, part));
    if (entry === undefined) return undefined;
    const { type } = formOfMode(entry.mode);
    const isLast = i === path.length - 1;
    if (type === 'gitlink' || (type === 'tree') === isLast) return undefined;
    const object = view.findObject(entry.oid, 0);
    if (object < 0) throw new PackError(`a stored tree names ${objectIdAt(entry.oid)}, which is not stored`);
    if (isLast) return { object, hash: objectIdAt(entry.oid) };
    tree = object;
  }
  return undefined;
}

/** The entry with that name. The id is copied, because the body is only valid for a short time. */
export function* entryOf(
  body: Uint8Array,
  name: Uint8Array,
): Steps<{ readonly mode: number; readonly oid: Uint8Array } | undefined> {
  const cursor = new TreeCursor(body);
  for (let passed = 0; cursor.next(); passed += entriesAnEntry) {
    if (passed >= entriesAStop) {
      yield passed;
      passed = 0;
    }
    if (cursor.nameEnd - cursor.nameStart !== name.length) continue;
    let i = 0;
    while (i < name.length && body[cursor.nameStart + i] === name[i]) i++;
    if (i === name.length) return { mode: cursor.mode, oid: body.slice(cursor.oidAt, cursor.oidAt + 20) };
  }
  return undefined;
}
