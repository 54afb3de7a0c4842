import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartError, systemErrorCode } from '../start-error.ts';
import { demandNothingElse } from './form.ts';
import { lockDataFolder, type DataFolderLock } from './lock.ts';

/** The folder that holds all data of a server, locked by this process. */
export interface DataFolder extends DataFolderLock {
  /** Absolute. */
  readonly path: string;
  /** True if this call made the folder. */
  readonly created: boolean;
}

/** Reasons why a folder cannot be made, by code of the system, or by Deno's name of the error. */
const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  NotCapable: 'Deno lacks the permission to write there',
};

/**
 * Opens the data folder at `path` and locks it for this process. Makes a missing folder with mode 0700, and its missing
 * parents, unless `create` is false.
 *
 * @throws {StartError} kind `data folder` if it is not a folder, not accessible, or holds other files; `data folder in
 *   use` if another process or call holds it.
 */
export function openDataFolder(path: string, options: { readonly create?: boolean } = {}): DataFolder {
  const folder = resolve(path);
  const created = ensureDataFolder(folder, options.create);
  return { path: folder, created, ...lockDataFolder(folder) };
}

/**
 * Makes the data folder at an absolute path with mode 0700, and its missing parents, unless `create` is false (default
 * true). Returns whether the folder was missing.
 *
 * @throws {StartError} kind `data folder` if it is not a folder, not accessible, holds other files, or is missing while
 *   `create` is false.
 */
export function ensureDataFolder(folder: string, create = true): boolean {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) {
      demandNothingElse(folder);
      return false;
    }
    if (found !== undefined) {
      throw new StartError(
        'data folder',
        `The data folder ${folder} is a file.`,
        'Choose a folder with --data DIR; it is made if it does not exist.',
      );
    }
    if (!create) {
      throw new StartError(
        'data folder',
        `The data folder ${folder} does not exist.`,
        'Name an existing one with --data DIR.',
      );
    }
    // Deno needs write permission for a parent even if that parent exists.
    if (!existsSync(dirname(folder))) mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    // The umask may have removed bits of the mode, so set it explicitly.
    chmodSync(folder, 0o700);
    return true;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = systemErrorCode(error);
    const reason = reasons[code ?? (error as Error).name] ?? code ?? 'unknown reason';
    throw new StartError(
      'data folder',
      `The data folder ${folder} cannot be made: ${reason}.`,
      'Choose another folder with --data DIR.',
      {
        cause: error,
      },
    );
  }
}
