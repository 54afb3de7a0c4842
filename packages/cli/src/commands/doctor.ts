import { resolve } from 'node:path';
import {
  exitCodes,
  printResult,
  shown,
  startProgress,
  type Command,
  type Progress,
  type Style,
} from '@packhouse/command';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import { defaultDataFolder } from '../api/options.ts';
import type { Report } from '../data-folder/examine.ts';
import { sharedStorageOptions } from '../runtimes/shared-storage-of.ts';
import { configOption } from './read-config.ts';
import { sharedStorageNamed } from './shared-storage-named.ts';

export const doctorCommand: Command = {
  words: ['doctor'],
  summary: 'Check a data folder that no server holds, or a database with its packs',
  details: `Reads everything: the database, every pack with its index and graph, and all that every ref reaches. Changes nothing. Servers of a database may run meanwhile; packs to which no row leads are found there.
Exits with ${exitCodes.unsound} if something is wrong. Replaced packs were merged into others; orphans are left-overs of dead pushes, or of packs prepared for clones. A server removes both in time; they are counted, and are nothing wrong.`,
  arguments: [],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    ...sharedStorageOptions,
    { ...configOption, description: 'The configuration file of the servers' },
    { name: 'json', description: 'Print the report as one line of JSON' },
  ],
  examples: [
    'doctor',
    'doctor --data /srv/git --json',
    'doctor --database postgres://packhouse@db/packhouse --packs s3://packs/main',
  ],
  async run(invocation, io) {
    const path = resolve(io.cwd, invocation.text('data') ?? '');
    const shared = await sharedStorageNamed(invocation, io);
    const progress = startProgress(io);
    const report = await (
      shared === undefined ? examineOne(path, progress.show) : examineDatabase(shared, progress.show)
    ).finally(progress.end);
    printResult(invocation, io, report, ({ style }) => reportText(report, style));
    return report.ok ? 0 : exitCodes.unsound;
  },
};

// Loaded on demand, so that commands that only call a server start fast.
async function examineOne(path: string, show: Progress['show']): Promise<Report> {
  const { examineFolder } = await import('../data-folder/examine-folder.ts');
  return examineFolder(path, show);
}

async function examineDatabase(shared: SharedStorage, show: Progress['show']): Promise<Report> {
  const { withSharedStorage } = await import('../shared-storage/with-shared-storage.ts');
  const { examineShared } = await import('../shared-storage/examine-shared.ts');
  return withSharedStorage(shared, (opened) => examineShared(opened, show));
}

function reportText(report: Report, style: Style): string {
  const { repos, refs, packs, objects, replacedPacks, orphans, problems } = report;
  const lines = [
    `${counted(repos, 'repo')}, ${counted(refs, 'ref')}, ${counted(packs, 'pack')}, ${counted(objects, 'object')}`,
    `${counted(replacedPacks, 'replaced pack')}, ${counted(orphans.packs, 'orphan pack')}, ${counted(orphans.repos, 'orphan repo')}`,
    ...problems.map(
      ({ repo, where, what }) =>
        `${style('red', 'WRONG')}  ${[repo ?? 'database', where]
          .filter((part) => part !== null)
          .map(shown)
          .join(': ')}: ${shown(what)}`,
    ),
    problems.length === 0
      ? style('green', 'Everything is sound.')
      : style('red', `${counted(problems.length, 'problem')} found.`),
  ];
  return `${lines.join('\n')}\n`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
