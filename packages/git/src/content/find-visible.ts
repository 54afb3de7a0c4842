import type { KindNumber } from '../object/kind.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';

/** An object that may be read. */
export interface VisibleObject {
  /** Its number in the graph of the view. */
  readonly object: number;
  /** Its node there; -1 for a tree or blob that no ref has ever pointed to. */
  readonly node: number;
  readonly kind: KindNumber;
}

/**
 * Finds an object by its id, if it may be read (REPO-142): what a fetch may want by id. Undefined: there is none. No
 * object is opened for that, since the graph knows them all.
 */
export async function findVisible(
  view: RepositoryView,
  visibility: Visibility,
  oid: ObjectId,
): Promise<VisibleObject | undefined> {
  const { set } = view;
  const node = set.findNodeById(oid);
  if (node >= 0) {
    const object = set.nodeObjects[node] as number;
    const visible = { object, node, kind: set.kind(object) };
    if (await isAllVisible(view, visibility, object)) return visible;
    await visibility.lookForTips([oid]);
    if (await visibility.mayWant(node, oid)) return visible;
    // A file that a ref pointed to once is a node, too; commits that hold it may still be seen.
  }
  await view.loadIndexes();
  const object = view.findObject(objectIdToBytes(oid), 0);
  if (object < 0) return undefined;
  const isVisible = (await isAllVisible(view, visibility, object)) || (await visibility.mayWantObject(object));
  return isVisible ? { object, node: -1, kind: set.kind(object) } : undefined;
}

/**
 * Whether the pack that an object lies in is known to hold nothing but what refs reach, none of them hidden: then nobody
 * needs to look at the history, however long that is.
 */
async function isAllVisible(
  { set, snapshot }: RepositoryView,
  visibility: Visibility,
  object: number,
): Promise<boolean> {
  if (await visibility.isPartial()) return false;
  // The record in a cached set may be from before the pack lost that.
  const { id } = set.packOfObject(object).record;
  return snapshot.packs.find((pack) => pack.id === id)?.exact === true;
}
