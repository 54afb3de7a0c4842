import { StorageError, type PackFile, type PackId } from '@packhouse/git';

/** Says what could not be done to a file of a pack; passes on what says so already. */
export function storageError(action: 'store' | 'read', id: PackId, file: PackFile, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(`Cannot ${action} the ${file} file of pack ${id}: ${reason(error)}`, { cause: error });
}

/** The system's code (`ENOSPC`) if there is one: its text would tell paths. */
export function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
