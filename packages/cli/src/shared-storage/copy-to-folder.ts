import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '@packhouse/command';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { StorageError, type PackId } from '@packhouse/git';
import { filePacks, type PackStores } from '@packhouse/storage';
import { listFiles, nodeFileSystem, nodeStorage } from '@packhouse/storage/node';
import { checkDatabase } from '@packhouse/storage/postgres';
import {
  copyPacks,
  copyRowsToSqlite,
  packOfName,
  storedPacksOfPostgres,
  storedPacksOfSqlite,
  type CopiedPacks,
  type RowCounts,
  type StoredPack,
} from '@packhouse/storage/transfer';
import type { Report } from '../data-folder/examine.ts';
import { makeFolder, syncFile, type MakeFolderOptions } from '../data-folder/make-folder.ts';
import type { CopiedStorage } from './copy-to-shared.ts';
import { noNotes } from './no-notes.ts';
import type { OpenedShared } from './with-shared-storage.ts';

/** Attempts. One fails if a server removes a pack between the copy of the rows and that of the packs. */
const attempts = 10;

/**
 * Copies a database and its packs to the data folder `to`, in the state of one moment, also while servers use them. An
 * interrupted copy leaves its packs in `<to>.partial`, and the next one reads them instead of copying them again.
 *
 * @throws as {@link makeFolder} does.
 */
export async function copyToFolder(
  { postgres, packs, name }: OpenedShared,
  to: string,
  options: MakeFolderOptions,
): Promise<CopiedStorage & { readonly report: Report | undefined }> {
  await checkDatabase({ driver: postgres, place: packs.place });
  const from = packs.place.open(noNotes);
  try {
    const fill = (making: string): Promise<CopiedStorage> =>
      new FolderCopy(postgres, from, making, options.show).whole();
    const { made, report } = await makeFolder(name, to, options, fill, true);
    return { ...made, report };
  } finally {
    from.close();
  }
}

class FolderCopy {
  readonly #postgres: OpenedShared['postgres'];
  readonly #from: PackStores;
  readonly #database: string;
  readonly #packs: string;
  readonly #making: string;
  readonly #show: Progress['show'];
  readonly #done = new Set<string>();
  #total: CopiedPacks = { copied: 0, present: 0, bytes: 0 };

  constructor(postgres: OpenedShared['postgres'], from: PackStores, making: string, show: Progress['show']) {
    this.#postgres = postgres;
    this.#from = from;
    this.#making = making;
    this.#database = join(making, 'packhouse.sqlite');
    this.#packs = join(making, 'packs');
    this.#show = show;
  }

  async whole(): Promise<CopiedStorage> {
    const begun = new Set<PackId>();
    for await (const names of listFiles(this.#packs)) {
      for (const id of names.map(packOfName)) if (id !== undefined) begun.add(id);
    }
    for (let attempt = 1; ; attempt++) {
      try {
        // First, since that takes longest, and a server removes replaced packs after an hour.
        await this.#copy(await storedPacksOfPostgres(this.#postgres), begun);
        const { rows, stored } = await this.#copyRows();
        await this.#copy(stored, begun);
        await this.#keepOnly(stored);
        return { packs: this.#total, rows };
      } catch (error) {
        if (!(error instanceof StorageError) || attempt === attempts) throw error;
      }
    }
  }

  async #copy(packs: readonly StoredPack[], begun: ReadonlySet<PackId>): Promise<void> {
    const to = filePacks(this.#packs, nodeFileSystem);
    try {
      const options = { from: this.#from, to, packs, begun, done: this.#done, show: this.#show };
      const { copied, present, bytes } = await copyPacks(options);
      const total = this.#total;
      this.#total = {
        copied: total.copied + copied,
        present: total.present + present,
        bytes: total.bytes + bytes,
      };
    } finally {
      to.close();
    }
  }

  /** Makes the database from the rows of one moment. */
  async #copyRows(): Promise<{ readonly rows: RowCounts; readonly stored: readonly StoredPack[] }> {
    for (const end of ['', '-wal', '-shm']) rmSync(this.#database + end, { force: true });
    nodeStorage({ dataDir: this.#making }).close();
    const sqlite = openNodeSqlite(this.#database);
    try {
      const rows = await copyRowsToSqlite(this.#postgres, sqlite, this.#show);
      return { rows, stored: storedPacksOfSqlite(sqlite) };
    } finally {
      sqlite.close();
      syncFile(this.#database);
    }
  }

  /** Removes packs that no row names. */
  async #keepOnly(stored: readonly StoredPack[]): Promise<void> {
    const kept = new Set(stored.map(({ account, repo, id }) => `${account}/${repo}/${id}`));
    for await (const names of listFiles(this.#packs)) {
      for (const name of names) {
        const [place = ''] = name.split('.');
        if (!kept.has(place)) await nodeFileSystem.remove(join(this.#packs, name));
      }
    }
  }
}
