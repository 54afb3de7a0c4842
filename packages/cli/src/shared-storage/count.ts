import type { SharedStorage } from '@packhouse/server/shared-storage';
import { withDataFolder } from '../data-folder/with-data-folder.ts';
import { withSharedStorage } from './with-shared-storage.ts';

/** Numbers of what a copy would bring. */
export interface StorageSize {
  readonly repos: number;
  readonly refs: number;
  readonly rowPacks: number;
  readonly rowPackBytes: number;
  readonly storedPacks: number;
  readonly storedPackBytes: number;
}

/** Selects a {@link StorageSize}. Packs that forks share count once for each. */
function sizes(schema: string, notErased: string): string {
  const packs = (what: string, place: string): string =>
    `(SELECT ${what} FROM ${schema}packs WHERE place = '${place}')`;
  const bytes = 'coalesce(sum(pack_size + idx_size + graph_size), 0)';
  return `SELECT (SELECT count(*) FROM ${schema}repos WHERE ${notErased}) AS repos,
    (SELECT count(*) FROM ${schema}refs) AS refs,
    ${packs('count(*)', 'rows')} AS "rowPacks", ${packs(bytes, 'rows')} AS "rowPackBytes",
    ${packs('count(*)', 'store')} AS "storedPacks", ${packs(bytes, 'store')} AS "storedPackBytes"`;
}

/** @throws {StartError} and {@link CliError} as {@link withDataFolder} does. */
export function countFolder(path: string): Promise<StorageSize> {
  return withDataFolder(path, async ({ driver }) => driver.all<StorageSize>(sizes('', 'erased = 0'))[0] as StorageSize);
}

/** @throws {StartError} kind `shared storage`. */
export function countShared(shared: SharedStorage): Promise<StorageSize> {
  return withSharedStorage(shared, async ({ postgres }) => {
    const [counts] = await postgres.rows<StorageSize>(sizes('packhouse.', 'NOT erased'));
    return counts as StorageSize;
  });
}
