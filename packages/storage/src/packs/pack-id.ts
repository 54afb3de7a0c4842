import { parsePackId, StorageError, type PackId } from '@packhouse/git';

/** A fresh id: 128 bits of a cryptographic random source. */
export function newPackId(): PackId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') as PackId;
}

/**
 * Makes sure that an id is one before it becomes part of a path or key: types do not hold at run time.
 *
 * @throws {StorageError} if it is not.
 */
export function checkPackId(id: PackId): PackId {
  if (parsePackId(id) === undefined) throw new StorageError('Not a pack id');
  return id;
}
