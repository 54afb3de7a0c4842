import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartError, systemErrorCode } from '../start-error.ts';
import { demandNothingElse } from './form.ts';
import { lockDataFolder, type DataFolderLock } from './lock.ts';

/** The one folder that holds everything a server keeps, taken for this process. */
export interface DataFolder extends DataFolderLock {
  /** Absolute. */
  readonly path: string;
  /** Whether this call made it. */
  readonly created: boolean;
}

/**
 * Opens the data folder at `path`, by default making it where it is missing (mode 0700; missing parents
 * too), and takes it for this process.
 *
 * @throws {StartError} kind `data folder` if it is no folder or out of reach, `data folder in use` if it is taken.
 */
export function openDataFolder(path: string, options: { readonly create?: boolean } = {}): DataFolder {
  const folder = resolve(path);
  const created = ensureDataFolder(folder, options.create);
  return { path: folder, created, ...lockDataFolder(folder) };
}

/**
 * Makes the data folder at an absolute path, with mode 0700, and missing parents, if it is missing and `create` does
 * not forbid it (default true). Answers whether it was missing.
 *
 * @throws {StartError} kind `data folder` if it is no folder or out of reach.
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
    // Deno asks for the right to make a parent also where there is nothing to make.
    if (!existsSync(dirname(folder))) mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    // The umask may have taken more than asked for, never less; the mode is what the rest relies on.
    chmodSync(folder, 0o700);
    return true;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = systemErrorCode(error);
    const reason =
      code === 'ENOTDIR' || code === 'EEXIST'
        ? 'a part of its path is a file'
        : code === 'EACCES' || code === 'EPERM'
          ? 'this user may not write there'
          : code === 'EROFS'
            ? 'the file system is read-only'
            : (code ?? 'unknown reason');
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
