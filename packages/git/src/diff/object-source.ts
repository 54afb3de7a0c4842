import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import type { GitObject } from '../object/kind.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Work } from '../work/scheduler.ts';

/** Source of the trees and blobs that are compared. */
export interface ObjectSource {
  readonly work: Work;
  /**
   * Reads an object in full. The body is valid until the next read.
   *
   * @throws {NotEnoughMemoryError}
   */
  read(oid: ObjectId): GitObject | Promise<GitObject>;
  /** Returns the size in bytes, without reading the object. */
  sizeOf(oid: ObjectId): number;
}

/**
 * Reads from the views in turn, such as those of a fork and its parent: an object comes from the first that has it. Read
 * only what visible commits reach. All views have the work of the first.
 */
export async function objectsOf(views: readonly [RepositoryView, ...RepositoryView[]]): Promise<ObjectSource> {
  for (const view of views) await view.loadIndexes();
  const find = (oid: ObjectId): readonly [RepositoryView, number] => {
    const id = objectIdToBytes(oid);
    for (const view of views) {
      const object = view.findObject(id, 0);
      if (object >= 0) return [view, object];
    }
    throw new PackError(`a stored tree names ${oid}, which is not stored`);
  };
  return {
    work: views[0].work,
    read: (oid) => {
      const [view, object] = find(oid);
      return view.read(object);
    },
    sizeOf: (oid) => {
      const [{ set }, object] = find(oid);
      return set.size(object);
    },
  };
}
