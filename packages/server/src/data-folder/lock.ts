import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

/** An exclusive lock on a data folder. */
export interface DataFolderLock {
  /** Releases the lock. Idempotent. */
  release(): void;
}

/** Name of the database that carries the lock. Every data folder has it after its first server. */
export const lockFile = 'lock.db';

/** Locks not yet released. If the last reference to one were lost, garbage collection would release it. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Locks the data folder for this process. SQLite holds the lock on a separate database, and the operating system drops
 * it when the process dies, so no stale lock remains. `holder.json` only names the holder, for the error message and for
 * operators; a crash leaves it there. Do not open `lock.db` in another way in the same process: POSIX drops all locks of
 * a file when the process closes any handle of it.
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
    // Deno ignores the equivalent option of the constructor.
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
      if (!heldLocks.delete(held)) return;
      // Removed under the lock, or it could be the note of the next holder.
      removeNote(note);
      held.close();
    },
  };
}

/** Makes a missing file with access for its owner only: any user who may read it could lock a server out. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // The file exists, or SQLite will report the reason better.
  }
}

/** SQLITE_BUSY (5): another connection holds the lock. Deno gives only SQLite's message, without its code. */
function isBusy(error: unknown): boolean {
  const { errcode, message } = (error ?? {}) as { readonly errcode?: unknown; readonly message?: unknown };
  return errcode === undefined ? message === 'database is locked' : errcode === 5;
}

/** Operators signal the process that the note names. After a stop that could be a process of another program. */
function removeNote(note: string): void {
  try {
    rmSync(note, { force: true });
  } catch {
    // The lock must still end, also on a file system that fails.
  }
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
