import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

/** A data folder held by this process alone. */
export interface DataFolderLock {
  /** Gives the folder up. Idempotent. */
  release(): void;
}

/** The name of the database in a data folder that is locked; every folder that a server took has it. */
export const lockFile = 'lock.db';

/** Locks that nobody has given up. Were the last reference to one lost, its collection would open the folder to others. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Takes the data folder for this process. The lock is SQLite's on a database of its own: the operating system drops
 * it when the process dies in whatever way, so no stale lock ever has to be cleared. The note beside it only names
 * the holder for the message. (Never read `lock.db` by other means in the same process: POSIX drops the locks of a
 * file as soon as the process closes any handle of it.)
 *
 * @throws {StartError} kind `data folder in use`, naming the process that holds it.
 */
export function lockDataFolder(folder: string): DataFolderLock {
  const note = join(folder, 'holder.json');
  const file = join(folder, lockFile);
  let database: DatabaseSync | undefined;
  try {
    makePrivate(file);
    database = new DatabaseSync(file);
    // Deno does not heed the option of the same meaning.
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (!isBusy(error)) {
      throw new StartError(
        'data folder',
        `The data folder ${folder} cannot be locked: ${error instanceof Error ? error.message : 'unknown reason'}.`,
        'Check that this user may write to the folder, and that it does not lie on a network file system.',
        { cause: error },
      );
    }
    const holder = readHolder(note);
    throw new StartError(
      'data folder in use',
      `The data folder ${folder} is in use by ${holder === undefined ? 'another process' : `process ${holder}`}.`,
      'Stop that server first, or choose another folder with --data DIR.',
    );
  }
  writeFileSync(note, `${JSON.stringify({ pid: process.pid, since: new Date().toISOString() })}\n`, { mode: 0o600 });
  const held = database;
  heldLocks.add(held);
  return {
    release(): void {
      if (heldLocks.delete(held)) held.close();
    },
  };
}

/** Makes the file, if it is missing, for its owner alone: whoever may read it can lock a server out. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or SQLite tells better what keeps it from being made.
  }
}

/** SQLITE_BUSY (5): the lock is another's. Deno has no codes of SQLite, only its text. */
function isBusy(error: unknown): boolean {
  const { errcode, message } = (error ?? {}) as { readonly errcode?: unknown; readonly message?: unknown };
  return errcode === undefined ? message === 'database is locked' : errcode === 5;
}

function readHolder(note: string): number | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(note, 'utf8'));
    const pid = (holder as { readonly pid?: unknown } | null)?.pid;
    return typeof pid === 'number' && Number.isSafeInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
