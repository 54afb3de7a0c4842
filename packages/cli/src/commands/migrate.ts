import { resolve } from 'node:path';
import {
  CliError,
  exitCodes,
  printResult,
  startProgress,
  type Command,
  type Invocation,
  type Io,
} from '@packhouse/command';
import { defaultDataFolder } from '../api/options.ts';
import { sharedStorageOptions } from '../runtimes/shared-storage-of.ts';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import { configOption } from './read-config.ts';
import { sharedStorageNamed } from './shared-storage-named.ts';

export const migrateCommand: Command = {
  words: ['migrate'],
  summary: 'Copy a data folder to PostgreSQL and a place for packs, or back',
  details: `Stop all servers of both sides first: the command refuses a folder that a server holds, and a database with other connections. So stop PgBouncer, too, and name PostgreSQL itself. It copies everything, compares each row, and reads each copied pack again. The source stays as it is, and the target must hold nothing else. After an interruption, the same command goes on: packs that are there are compared, not copied. Servers of a database need PACKHOUSE_API_TOKEN; that of a folder is in its file "api-token".
Without --unverified the target is then examined as by "doctor". Exits with ${exitCodes.unsound} if it is not sound.`,
  arguments: [],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    ...sharedStorageOptions,
    { name: 'back', description: 'Copy from the database to the data folder, which must be new or empty' },
    { name: 'dry-run', description: 'Only count what would be copied' },
    { name: 'unverified', description: 'Do not examine the target' },
    { ...configOption, description: 'The configuration file of the servers' },
    { name: 'json', description: 'Print what was copied as one line of JSON' },
  ],
  examples: [
    'migrate --data /srv/git --database postgres://packhouse@db/packhouse --packs s3://packs/main --dry-run',
    'migrate --data /srv/git --database postgres://packhouse@db/packhouse --packs /mnt/packs',
    'migrate --back --data /srv/new --database postgres://packhouse@db/packhouse --packs s3://packs/main',
  ],
  async run(invocation, io) {
    const data = resolve(io.cwd, invocation.text('data') ?? '');
    const shared = await sharedStorageNamed(invocation, io);
    if (shared === undefined)
      throw new CliError('usage', 'There is no database to copy to or from.', 'Name it with --database and --packs.');
    return invocation.flag('dry-run') ? count(data, shared, invocation, io) : copy(data, shared, invocation, io);
  },
};

async function count(data: string, shared: SharedStorage, invocation: Invocation, io: Io): Promise<number> {
  // Loaded on demand, so that commands that only call a server start fast.
  const { countFolder, countShared } = await import('../shared-storage/count.ts');
  const counts = await (invocation.flag('back') ? countShared(shared) : countFolder(data));
  printResult(invocation, io, { ...counts, dryRun: true }, () => {
    const { repos, refs, rowPacks, rowPackBytes, storedPacks, storedPackBytes } = counts;
    return `Would copy ${repos} repos with ${refs} refs, ${rowPacks} packs in the database (${rowPackBytes} bytes), and ${storedPacks} packs outside (${storedPackBytes} bytes).\n`;
  });
  return 0;
}

async function copy(data: string, shared: SharedStorage, invocation: Invocation, io: Io): Promise<number> {
  const { migrate } = await import('../shared-storage/migrate.ts');
  const progress = startProgress(io);
  const options = { back: invocation.flag('back'), verify: !invocation.flag('unverified'), show: progress.show };
  const { from, to, packs, rows, report } = await migrate(data, shared, options).finally(progress.end);
  const total = Object.values(rows).reduce((sum, number) => sum + number, 0);
  printResult(invocation, io, { from, to, packs, rows, verified: report !== undefined }, () => {
    const verified = report === undefined ? 'not verified' : 'everything there is sound';
    return `Copied ${from} to ${to}: ${total} rows and ${packs.copied} packs (${packs.present} were there), ${verified}.\n`;
  });
  return 0;
}
