import { treeKind } from '../object/kind.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import { kindOfMode, TreeCursor } from '../object/tree.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { createTurns, type Turns } from '../turns.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/** What the wants of a request name. */
export interface ResolvedWants {
  readonly nodes: readonly number[];
  /** Trees and blobs wanted by id, with all that the trees reach. */
  readonly objects: ReadonlySet<number>;
}

/**
 * Resolves wants: any object that a visible ref reaches, or reached a moment ago (GIT-060, GIT-061).
 *
 * @throws {RequestRefusedError} for any other.
 */
export async function resolveWants(
  view: RepositoryView,
  visibility: Visibility,
  wants: readonly ObjectId[],
): Promise<ResolvedWants> {
  const nodes: number[] = [];
  const objects = new Set<number>();
  const turns = createTurns();
  for (const want of new Set(wants)) {
    if (turns.due()) await turns.pass();
    const node = view.set.findNodeById(want);
    if (node >= 0 && visibility.mayWant(node, want)) nodes.push(node);
    else await addObject(view, visibility, want, objects, turns);
  }
  return { nodes, objects };
}

async function addObject(
  view: RepositoryView,
  visibility: Visibility,
  want: ObjectId,
  objects: Set<number>,
  turns: Turns,
): Promise<void> {
  await view.loadIndexes();
  const object = view.findObject(objectIdToBytes(want), 0);
  if (object < 0 || !visibility.mayWantObject(object)) {
    throw new RequestRefusedError(`upload-pack: not our ref ${want}`);
  }
  const pending = [object];
  while (pending.length > 0) {
    const next = pending.pop() as number;
    if (objects.has(next)) continue;
    if (turns.due()) await turns.pass();
    objects.add(next);
    if (view.set.kind(next) !== treeKind) continue;
    const entry = new TreeCursor((await view.read(next)).body);
    while (entry.next()) {
      if (turns.due()) await turns.pass();
      const kind = kindOfMode(entry.mode);
      if (kind === 0) continue;
      const child = view.findObject(entry.body, entry.oidAt);
      // A listed tree was walked when its node was verified, so what it names is stored.
      if (child < 0) throw new Error('a tree that was verified is not complete');
      if (kind === treeKind) pending.push(child);
      else objects.add(child);
    }
  }
}
