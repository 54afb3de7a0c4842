import { noObject } from '../graph/pack-graph.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../work/loops.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { formOfMode, type EntryForm } from './tree-entries.ts';

/** An entry that was found. */
export interface FoundEntry extends EntryForm {
  /** Its number in the graph of the view; -1 for a submodule. */
  readonly object: number;
  readonly hash: ObjectId;
}

/** Work for one tree entry, as a number of table entries. */
const entriesAnEntry = 6;

const [slash, dot] = [47, 46];

/** Trees below each other: Git itself goes down 2,048 of them, or 4,096 in older releases (`core.maxTreeDepth`). */
export const partsMax = 4096;

/** The parts of the path of a file (REPO-147). Undefined also for a path that has no part left. */
export function pathParts(path: Uint8Array): readonly Uint8Array[] | undefined {
  const parts = folderParts(path);
  return parts?.length === 0 ? undefined : parts;
}

/**
 * The parts of a path, as bytes: empty and `.` ones are dropped, so the root has none. Undefined for a path with `..`, and
 * for one of more than {@link partsMax}: a caller in the process may pass one of any length.
 */
export function folderParts(path: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  for (let start = 0; start <= path.length;) {
    const next = path.indexOf(slash, start);
    const end = next < 0 ? path.length : next;
    const part = path.subarray(start, end);
    if (isDots(part, 2)) return undefined;
    if (part.length > 0 && !isDots(part, 1) && parts.push(part) > partsMax) return undefined;
    start = end + 1;
  }
  return parts;
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
): Promise<FoundEntry | undefined> {
  const found = await findEntry(view, commitNode, path);
  return found === undefined || found.type === 'tree' || found.type === 'gitlink' ? undefined : found;
}

/** Does the same for any entry that the path names; no part names the root tree. A submodule has no object. */
export async function findEntry(
  view: RepositoryView,
  commitNode: number,
  path: readonly Uint8Array[],
): Promise<FoundEntry | undefined> {
  await view.loadIndexes();
  const root = view.set.nodeTrees[commitNode] as number;
  if (root === noObject) throw new PackError('a stored commit has no tree in its graph');
  let found: FoundEntry = { object: root, hash: view.objectId(root), ...formOfMode(0o040000) };
  for (const part of path) {
    if (found.type !== 'tree') return undefined;
    const entry = await inTurns(view.work, cost.entries, entryOf((await view.read(found.object)).body, part));
    if (entry === undefined) return undefined;
    const form = formOfMode(entry.mode);
    const hash = objectIdAt(entry.oid);
    const object = form.type === 'gitlink' ? -1 : view.findObject(entry.oid, 0);
    if (object < 0 && form.type !== 'gitlink') throw new PackError(`a stored tree names ${hash}, which is not stored`);
    found = { object, hash, ...form };
  }
  return found;
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
