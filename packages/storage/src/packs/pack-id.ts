import { parsePackId, StorageError, type PackId } from '@packhouse/git';

/**
 * Makes sure that an id is one before it becomes part of a path or key: types do not hold at run time.
 *
 * @throws {StorageError} if it is not.
 */
export function checkPackId(id: PackId): PackId {
  if (parsePackId(id) === undefined) throw new StorageError('Not a pack id');
  return id;
}
