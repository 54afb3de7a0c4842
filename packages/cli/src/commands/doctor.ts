import { resolve } from 'node:path';
import { exitCodes, printResult, shown, startProgress, type Command, type Style } from '@packhouse/command';
import { defaultDataFolder } from '../api/options.ts';
import type { Report } from '../data-folder/examine.ts';

export const doctorCommand: Command = {
  words: ['doctor'],
  summary: 'Check a data folder that no server holds',
  details: `Reads everything: the database, every pack with its index and graph, and all that every ref reaches. Changes nothing.
Exits with ${exitCodes.unsound} if something is wrong. Replaced packs were merged into others; orphans are left-overs of dead pushes, or of packs prepared for clones. A server removes both in time; they are counted, and are nothing wrong.`,
  arguments: [],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    { name: 'json', description: 'Print the report as one line of JSON' },
  ],
  examples: ['doctor', 'doctor --data /srv/git --json'],
  async run(invocation, io) {
    const path = resolve(io.cwd, invocation.text('data') ?? '');
    // Loaded on demand, so that commands that only call a server start fast.
    const { examineFolder } = await import('../data-folder/examine-folder.ts');
    const progress = startProgress(io);
    const report = await examineFolder(path, progress.show).finally(progress.end);
    printResult(invocation, io, report, ({ style }) => reportText(report, style));
    return report.ok ? 0 : exitCodes.unsound;
  },
};

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
