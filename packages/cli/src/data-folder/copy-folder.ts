import { closeSync, copyFileSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';
import { CliError, type Progress } from '@packhouse/command';
import { nodeFileSystem } from '@packhouse/storage/node';
import { namedPacks, PackCopies } from './copy-packs.ts';
import type { Report } from './examine.ts';
import { lockFiles, makeFolder, syncFile, type MakeFolderOptions } from './make-folder.ts';
import { demandFree } from './new-directory.ts';
import { readBeside } from './read-beside.ts';

/** The result of a copy. */
export interface CopiedFolder {
  /** Packs in files. Smaller ones are in the database. */
  readonly packs: number;
  /** The examination of the copy. Undefined if none was wanted. */
  readonly report: Report | undefined;
}

/**
 * Number of attempts. One fails if the server removes a pack between the listing of packs and the copy of the database,
 * and the next one already has nearly all packs.
 */
const attempts = 10;

/**
 * Copies the data folder `from` to `to` in the state of one moment, also while a server holds `from` (REPO-350).
 *
 * @throws {CliError} kind `unsound` if `from` cannot be copied, {@link StartError} if `from` is not a data folder, and both
 *   as {@link makeFolder} does.
 */
export async function copyFolder(from: string, to: string, options: MakeFolderOptions): Promise<CopiedFolder> {
  demandFree(to);
  await readBeside(from, async () => undefined);
  const { made, report } = await makeFolder(from, to, options, async (making) => {
    clear(making);
    const packs = await copyContents(from, making, options.show);
    copyToken(from, making);
    return packs;
  });
  return { packs: made, report };
}

/** Removes what an interrupted copy left. */
function clear(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!lockFiles.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

async function copyContents(from: string, to: string, show: Progress['show']): Promise<number> {
  const packsFolder = join(to, 'packs');
  const database = join(to, 'packhouse.sqlite');
  await nodeFileSystem.makeFolder(packsFolder);
  const copies = new PackCopies(join(from, 'packs'), packsFolder);
  for (let attempt = 0; attempt < attempts; attempt++) {
    await readBeside(from, async (driver) => {
      show('Linking packs');
      // Before the database: copying that takes long, and the server may remove packs meanwhile.
      for (const pack of namedPacks(driver)) await copies.add(pack);
      show('Copying the database');
      rmSync(database, { force: true });
      closeSync(openSync(database, 'wx', 0o600));
      driver.run('VACUUM INTO ?', database);
    });
    syncFile(database);
    const packs = packsOf(database);
    let isComplete = true;
    for (const pack of packs) if (!(await copies.add(pack)) && pack.needed === 1) isComplete = false;
    if (!isComplete) continue;
    await copies.keepOnly(packs);
    return packs.length;
  }
  throw new CliError(
    'unsound',
    `The database in ${from} names a pack whose files are not there.`,
    'Stop the server, and let "packhouse doctor" say which one it is.',
  );
}

function packsOf(database: string): ReturnType<typeof namedPacks> {
  const copy = openNodeSqlite(database, { readOnly: true });
  try {
    return namedPacks(copy);
  } finally {
    copy.close();
  }
}

/** The token of the server belongs to its data: without it, a restored server would make another one. */
function copyToken(from: string, to: string): void {
  const [source, target] = [join(from, 'api-token'), join(to, 'api-token')];
  if (!existsSync(source)) return;
  copyFileSync(source, target);
  syncFile(target);
}
