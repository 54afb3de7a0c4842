import { StorageUnavailable } from '@packhouse/base';

/** A cause of storage failures that an operator, or time, can remove. */
export type StorageTrouble = 'disk full' | 'too many open files' | 'storage is gone' | 'storage is unavailable';

/** The opened folder or database no longer exists, or its name refers to another one. */
export class StorageGoneError extends Error {
  override readonly name = 'StorageGoneError';

  constructor() {
    super('the data folder was deleted, moved or replaced');
  }
}

/** Troubles by code of the system, or by SQLite's text, the only information on Deno. `SQLITE_FULL` is 13. */
const troubles: Readonly<Record<string, StorageTrouble>> = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk full',
  // A limit on the size of a file (`ulimit -f`).
  EFBIG: 'disk full',
  13: 'disk full',
  'database or disk is full': 'disk full',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
};

/** Finds such a trouble in an error or its causes. Returns undefined for other failures. */
export function storageTrouble(failure: unknown): StorageTrouble | undefined {
  for (let error = failure, depth = 0; error instanceof Error && depth < 8; error = error.cause, depth++) {
    if (error instanceof StorageGoneError) return 'storage is gone';
    if (error instanceof StorageUnavailable) return 'storage is unavailable';
    const { code, errcode, message } = error as Error & { readonly code?: unknown; readonly errcode?: unknown };
    for (const key of [code, errcode, message]) {
      const trouble = troubles[String(key)];
      if (trouble !== undefined) return trouble;
    }
  }
  return undefined;
}
