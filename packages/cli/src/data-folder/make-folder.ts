import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, shown, type Progress } from '@packhouse/command';
import { openDataFolder } from '@packhouse/server';
import { nodeFileSystem } from '@packhouse/storage/node';
import { examineFolder } from './examine-folder.ts';
import type { Report } from './examine.ts';
import { demandFree } from './new-directory.ts';

export interface MakeFolderOptions {
  /** Examine the folder before it appears. */
  readonly verify: boolean;
  readonly show: Progress['show'];
}

/** Names of the lock of a data folder, which a new one does not have. */
export const lockFiles: readonly string[] = ['lock.db', 'holder.json'];

/**
 * Makes the data folder `to`, which appears when it is complete, durable and, with `verify`, sound. Until then it is
 * `<to>.partial`.
 *
 * @param from The source, for the message.
 * @param fill Writes everything. What an interrupted call left may be there.
 * @param isKept True if a failure leaves `<to>.partial` for the next call. Default: it is removed.
 * @throws {CliError} kind `usage` if there is something in `to`, `unsound` if the folder is not sound, {@link StartError}
 *   if another process makes the same folder.
 */
export async function makeFolder<T>(
  from: string,
  to: string,
  { verify, show }: MakeFolderOptions,
  fill: (making: string) => Promise<T>,
  isKept = false,
): Promise<{ readonly made: T; readonly report: Report | undefined }> {
  demandFree(to);
  const making = `${to}.partial`;
  const lock = openDataFolder(making);
  let isSound = true;
  try {
    const made = await fill(making);
    lock.release();
    const report = verify ? await examineFolder(making, show) : undefined;
    isSound = report?.ok !== false;
    if (report?.ok === false) throw unsound(from, report);
    for (const name of lockFiles) rmSync(join(making, name), { force: true });
    await nodeFileSystem.syncFolder(making);
    renameSync(making, to);
    await nodeFileSystem.syncFolder(dirname(to));
    return { made, report };
  } catch (error) {
    lock.release();
    if (!isKept || !isSound) rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the contents of a file durable. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unsound(from: string, { problems: [first, ...others] }: Report): CliError {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const where = [first?.repo ?? 'database', first?.where ?? [], first?.what].flat().join(': ');
  return new CliError(
    'unsound',
    `The copy of ${from} is not sound: ${shown(where)}${more}.`,
    'Nothing was left behind. Stop the server and run "packhouse doctor"; --unverified copies a damaged folder as well.',
  );
}
