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
 * Finds an object by its id if it may be read (REPO-142), that is, if a fetch may want it by id. Returns undefined
 * otherwise. Opens no object, since the graph knows all of them.
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
 * Tests if the pack of an object is known to have only objects that refs reach, none of them hidden. Then a read needs
 * no walk over the history.
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
