import { CliError, shown, type Progress } from '@packhouse/command';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import type { Report } from '../data-folder/examine.ts';
import { copyToFolder } from './copy-to-folder.ts';
import { copyToShared, type CopiedStorage } from './copy-to-shared.ts';
import { demandUnused } from './demand-unused.ts';
import { examineShared } from './examine-shared.ts';
import { withSharedStorage } from './with-shared-storage.ts';

export interface MigrateOptions {
  /** True to copy from the database to the folder. */
  readonly back: boolean;
  /** Examine the target. */
  readonly verify: boolean;
  readonly show: Progress['show'];
}

export interface Migrated extends CopiedStorage {
  readonly from: string;
  readonly to: string;
  /** The examination of the target. Undefined if none was wanted. */
  readonly report: Report | undefined;
}

/**
 * Copies a data folder to a database and a place for packs, or back (REPO-385).
 *
 * @throws {CliError} and {@link StartError} as `copyToShared`, `copyToFolder` and `withSharedStorage` do.
 */
export function migrate(data: string, shared: SharedStorage, options: MigrateOptions): Promise<Migrated> {
  const { back, verify, show } = options;
  return withSharedStorage(shared, async (opened) => {
    const { name } = opened;
    if (back) {
      await demandUnused(opened.postgres);
      return { from: name, to: data, ...(await copyToFolder(opened, data, { verify, show })) };
    }
    const copied = await copyToShared(data, opened, shared.packs.kind === 'bucket', show);
    const report = verify ? await examineShared(opened, show) : undefined;
    if (report?.ok === false) throw unsound(data, report);
    return { from: data, to: name, ...copied, report };
  });
}

function unsound(from: string, { problems: [first] }: Report): CliError {
  const what = [first?.repo ?? 'database', first?.where ?? [], first?.what].flat().join(': ');
  return new CliError(
    'unsound',
    `The copy of ${from} is not sound: ${shown(what)}.`,
    'The folder may have the same fault: examine both with "packhouse doctor".',
  );
}
