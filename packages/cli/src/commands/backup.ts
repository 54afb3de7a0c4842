import { resolve } from 'node:path';
import { exitCodes, printResult, startProgress, type Command, type Invocation, type Io } from '@packhouse/command';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import { defaultDataFolder } from '../api/options.ts';
import type { CopiedFolder } from '../data-folder/copy-folder.ts';
import { sharedStorageOptions } from '../runtimes/shared-storage-of.ts';
import type { OpenedShared } from '../shared-storage/with-shared-storage.ts';
import { configOption } from './read-config.ts';
import { sharedStorageNamed } from './shared-storage-named.ts';

const verifying = 'Without --unverified the copy is examined as by "doctor", which reads all of it.';
const unverified = { name: 'unverified', description: 'Do not examine the copy' };
const json = { name: 'json', description: 'Print what was copied as one line of JSON' };

export const backupCommand: Command = {
  words: ['backup'],
  summary: 'Copy a data folder, or a database with its packs, while servers run',
  details: `The copy has the database as of one moment with every pack that it names, so each push that the server acknowledged before is in it. Packs are hard links if DIR is on the same file system, and take no room then; elsewhere they are copied. DIR appears when it is complete. An interrupted backup leaves only DIR.partial, which the next one to DIR replaces. With --database and --packs, the copy is a data folder with all that is there, and no API token. ${verifying}
Exits with ${exitCodes.unsound} if the copy is not sound; then nothing is left.`,
  arguments: [{ name: 'DIR', description: 'A directory that is new or empty' }],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    ...sharedStorageOptions,
    { ...configOption, description: 'The configuration file of the servers' },
    unverified,
    json,
  ],
  examples: ['backup /backup/monday --data /srv/git', 'backup copy --unverified'],
  async run(invocation, io) {
    const [from, to] = [invocation.text('data') ?? '', invocation.argument('DIR')];
    const shared = await sharedStorageNamed(invocation, io);
    return shared === undefined
      ? copy({ from, to, done: 'Backed up' }, invocation, io)
      : copyDatabase(shared, resolve(io.cwd, to), invocation, io);
  },
};

export const restoreCommand: Command = {
  words: ['restore'],
  summary: 'Make a data folder from a backup',
  details: `Copies what "backup" made, in the same way, and leaves the backup as it is. The data folder must be new or empty: move an old one away first. ${verifying}`,
  arguments: [{ name: 'DIR', description: 'What "backup" made' }],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder to make', default: `./${defaultDataFolder}` },
    unverified,
    json,
  ],
  examples: ['restore /backup/monday --data /srv/git'],
  run: (invocation, io) => {
    const [from, to] = [invocation.argument('DIR'), invocation.text('data') ?? ''];
    return copy({ from, to, done: 'Restored' }, invocation, io);
  },
};

async function copy(
  { from, to, done }: { readonly from: string; readonly to: string; readonly done: string },
  invocation: Invocation,
  io: Io,
): Promise<number> {
  const [source, target] = [resolve(io.cwd, from), resolve(io.cwd, to)];
  // Loaded on demand, so that commands that only call a server start fast.
  const { copyFolder } = await import('../data-folder/copy-folder.ts');
  const progress = startProgress(io);
  const options = { verify: !invocation.flag('unverified'), show: progress.show };
  const copied = await copyFolder(source, target, options).finally(progress.end);
  return printCopy({ ...copied, from: source, target, done }, invocation, io);
}

async function copyDatabase(shared: SharedStorage, target: string, invocation: Invocation, io: Io): Promise<number> {
  const { copyToFolder } = await import('../shared-storage/copy-to-folder.ts');
  const { withSharedStorage } = await import('../shared-storage/with-shared-storage.ts');
  const progress = startProgress(io);
  const options = { verify: !invocation.flag('unverified'), show: progress.show };
  const work = async (opened: OpenedShared) => {
    const { packs, report } = await copyToFolder(opened, target, options);
    return { from: opened.name, packs: packs.copied + packs.present, report };
  };
  const copied = await withSharedStorage(shared, work).finally(progress.end);
  return printCopy({ ...copied, target, done: 'Backed up' }, invocation, io);
}

function printCopy(
  { from, target, done, packs, report }: CopiedFolder & Readonly<Record<'from' | 'target' | 'done', string>>,
  invocation: Invocation,
  io: Io,
): number {
  const result = { from, directory: target, packs, ...(report !== undefined && { repos: report.repos }) };
  printResult(invocation, io, { ...result, verified: report !== undefined }, () => {
    const verified = report === undefined ? 'not verified' : 'everything in it is sound';
    return `${done} ${from} to ${target}: ${verified}.\n`;
  });
  return 0;
}
