import { resolve } from 'node:path';
import { exitCodes, printResult, startProgress, type Command, type Invocation, type Io } from '@packhouse/command';
import { defaultDataFolder } from '../api/options.ts';

const verifying = 'Without --unverified the copy is examined as by "doctor", which reads all of it.';
const unverified = { name: 'unverified', description: 'Do not examine the copy' };
const json = { name: 'json', description: 'Print what was copied as one line of JSON' };

export const backupCommand: Command = {
  words: ['backup'],
  summary: 'Copy a data folder while its server runs',
  details: `The copy has the database as of one moment with every pack that it names, so each push that the server acknowledged before is in it. Packs are hard links if DIR is on the same file system, and take no room then; elsewhere they are copied. DIR appears when it is complete. An interrupted backup leaves only DIR.partial, which the next one to DIR replaces. ${verifying}
Exits with ${exitCodes.unsound} if the copy is not sound; then nothing is left.`,
  arguments: [{ name: 'DIR', description: 'A directory that is new or empty' }],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    unverified,
    json,
  ],
  examples: ['backup /backup/monday --data /srv/git', 'backup copy --unverified'],
  run: (invocation, io) => {
    const [from, to] = [invocation.text('data') ?? '', invocation.argument('DIR')];
    return copy({ from, to, done: 'Backed up' }, invocation, io);
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
  const { packs, report } = await copyFolder(source, target, options).finally(progress.end);
  const result = { from: source, directory: target, packs, ...(report !== undefined && { repos: report.repos }) };
  printResult(invocation, io, { ...result, verified: report !== undefined }, () => {
    const verified = report === undefined ? 'not verified' : 'everything in it is sound';
    return `${done} ${source} to ${target}: ${verified}.\n`;
  });
  return 0;
}
