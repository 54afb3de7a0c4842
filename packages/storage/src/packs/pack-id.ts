import { parsePackId, StorageError, type PackId } from '@packhouse/git';

/**
 * Checks an id before it becomes part of a path or key, since types do not hold at run time.
 *
 * @throws {StorageError} if it is invalid.
 */
export function checkPackId(id: PackId): PackId {
  if (parsePackId(id) === undefined) throw new StorageError('Not a pack id');
  return id;
}
