import { join } from 'node:path';
import type { Progress } from '@packhouse/command';
import type { PackId } from '@packhouse/git';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { openDataFolder } from '@packhouse/server';
import { filePacks } from '@packhouse/storage';
import { nodeFileSystem, nodeStorage } from '@packhouse/storage/node';
import { identityOf, isOtherMark, prepareDatabase } from '@packhouse/storage/postgres';
import {
  copyPacks,
  copyRowsToPostgres,
  isEmptyDatabase,
  OccupiedError,
  packOfName,
  storedPacksOfSqlite,
  type CopiedPacks,
  type RowCounts,
  type StoredPack,
} from '@packhouse/storage/transfer';
import { demandData } from '../data-folder/with-data-folder.ts';
import { demandUnused } from './demand-unused.ts';
import { noNotes } from './no-notes.ts';
import type { OpenedPlace } from '@packhouse/server/shared-storage';
import type { OpenedShared } from './with-shared-storage.ts';

/** The result of a copy. */
export interface CopiedStorage {
  readonly packs: CopiedPacks;
  readonly rows: RowCounts;
}

/**
 * Copies the data folder at `path`, which no server holds, to a database and a place for packs. Compares everything. May be
 * repeated after an interruption at any point.
 *
 * @throws {StartError} if a server holds the folder, or it is not a data folder, {@link OccupiedError} if the target has
 *   other data.
 */
export async function copyToShared(
  path: string,
  { postgres, packs: place }: OpenedShared,
  isBucket: boolean,
  show: Progress['show'],
): Promise<CopiedStorage> {
  demandData(path);
  const folder = openDataFolder(path, { create: false });
  try {
    // As a server does, which also writes what a crash kept from the catalog.
    nodeStorage({ dataDir: path }).close();
    const sqlite = openNodeSqlite(join(path, 'packhouse.sqlite'), { readOnly: true });
    const from = filePacks(join(path, 'packs'), nodeFileSystem);
    try {
      show('Preparing the database');
      await demandUnused(postgres);
      const stored = storedPacksOfSqlite(sqlite);
      // Before the place gets a mark, so that a refusal leaves none.
      const begun = await begunPacks(place, stored, await identityOf(postgres));
      await prepareDatabase({ driver: postgres, place: place.place });
      const rows = (): Promise<RowCounts> => copyRowsToPostgres({ sqlite, postgres, holdsPacks: isBucket, show });
      // With rows, the database is that of a finished copy, or another one, which must not cost a copy of the packs.
      const early = (await isEmptyDatabase(sqlite, postgres)) ? undefined : await rows();
      const to = place.place.open(noNotes);
      try {
        const packs = await copyPacks({ from, to, packs: stored, begun, done: new Set(), show });
        return { packs, rows: early ?? (await rows()) };
      } finally {
        to.close();
      }
    } finally {
      from.close();
      sqlite.close();
    }
  } finally {
    folder.release();
  }
}

/**
 * Returns the packs of which the target has files.
 *
 * @param database Id of the target.
 * @throws {OccupiedError} if it has other packs, or those of another database, whose servers would remove them.
 */
async function begunPacks(
  place: OpenedPlace,
  stored: readonly StoredPack[],
  database: string | undefined,
): Promise<ReadonlySet<PackId>> {
  const known = new Set(stored.map(({ id }) => id));
  const begun = new Set<PackId>();
  for await (const names of place.names()) {
    for (const name of names) {
      if (isOtherMark(name, database)) throw new OccupiedError();
      const id = packOfName(name);
      if (id === undefined) continue;
      if (!known.has(id)) throw new OccupiedError();
      begun.add(id);
    }
  }
  return begun;
}
