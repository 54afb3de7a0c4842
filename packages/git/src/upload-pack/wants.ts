import { walkSnapshot } from '../graph/snapshot-walk.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { createTurns, type Turns } from '../turns.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/** What the wants of a request name. */
export interface ResolvedWants {
  readonly nodes: readonly number[];
  /** Trees and blobs wanted by id. */
  readonly given: ReadonlySet<number>;
  /** The same, with all that the trees reach. */
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
  wants: Iterable<ObjectId>,
): Promise<ResolvedWants> {
  const nodes: number[] = [];
  const given = new Set<number>();
  const objects = new Set<number>();
  const turns = createTurns();
  for (const want of new Set(wants)) {
    if (turns.due()) await turns.pass();
    const node = view.set.findNodeById(want);
    if (node >= 0 && visibility.mayWant(node, want)) nodes.push(node);
    else given.add(await addObject(view, visibility, want, objects, turns));
  }
  return { nodes, given, objects };
}

async function addObject(
  view: RepositoryView,
  visibility: Visibility,
  want: ObjectId,
  objects: Set<number>,
  turns: Turns,
): Promise<number> {
  await view.loadIndexes();
  const object = view.findObject(objectIdToBytes(want), 0);
  if (object < 0 || !visibility.mayWantObject(object)) {
    throw new RequestRefusedError(`upload-pack: not our ref ${want}`);
  }
  const enter = (next: number): boolean => {
    if (objects.has(next)) return false;
    objects.add(next);
    return true;
  };
  await walkSnapshot(view, object, enter, turns);
  return object;
}
