import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markOf, type PackPlace } from '../packs/pack-place.ts';
import { filePacks } from './file-packs.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { rememberPlaces } from './same-places.ts';

/** Makes a folder that several servers mount the place of their packs. It is created if it is missing. */
export function folderPlace(root: string): PackPlace {
  return {
    async mark(database) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await writeFile(join(root, markOf(database)), '', { mode: 0o600, flush: true });
      await nodeFileSystem.syncFolder(root);
    },
    async isMarked(database) {
      try {
        await access(join(root, markOf(database)));
        return true;
      } catch {
        return false;
      }
    },
    open({ reservations }) {
      const places = rememberPlaces([root], []);
      const packs = filePacks(root, nodeFileSystem, { reservations, demandPresent: () => places.demand() });
      return {
        ...packs,
        close() {
          packs.close();
          places.close();
        },
      };
    },
  };
}
