import { existsSync } from 'node:fs';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageGoneError } from '@packhouse/git';
import { isOtherMark, markOf, type PackPlace } from '../packs/pack-place.ts';
import { filePacks } from './file-packs.ts';
import { nodeFileSystem } from './node-file-system.ts';

/**
 * Makes a folder that several servers mount the place of their packs. It is created if it is missing. Its mark shows that
 * it is mounted: the identity of the folder would be another one after it was mounted again.
 */
export function folderPlace(root: string): PackPlace {
  /** Path of the mark that was found last. */
  let found: string | undefined;
  const makeFolder = (): Promise<unknown> => mkdir(root, { recursive: true, mode: 0o700 });
  return {
    async mark(database) {
      await makeFolder();
      await writeFile(join(root, markOf(database)), '', { mode: 0o600, flush: true });
      await nodeFileSystem.syncFolder(root);
    },
    async isTaken(database) {
      await makeFolder();
      const entries = await readdir(root, { withFileTypes: true });
      return entries.some((entry) => entry.isFile() && isOtherMark(entry.name, database));
    },
    async isMarked(database) {
      const path = join(root, markOf(database));
      try {
        await access(path);
      } catch {
        return false;
      }
      found = path;
      return true;
    },
    open: ({ reservations }) =>
      filePacks(root, nodeFileSystem, {
        reservations,
        demandPresent() {
          if (found === undefined || !existsSync(found)) throw new StorageGoneError();
        },
      }),
  };
}
