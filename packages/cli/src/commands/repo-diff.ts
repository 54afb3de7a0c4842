import { aboutRepo } from '../api/about-repo.ts';
import type { Refused } from '../api/failure.ts';
import { apiOf, apiOptions, namespaceOption, printBytes } from '../api/options.ts';
import type { Command } from '../command/command.ts';
import { CliError } from '../output/cli-error.ts';
import { printResult, shown, table } from '../output/print.ts';
import { repos } from './repo.ts';
import { explained } from './repo-archive.ts';

/** A comparison, as far as it is printed (REPO-271). */
interface Comparison {
  readonly ahead: number;
  readonly behind: number;
  readonly files: readonly {
    readonly path: string;
    readonly previous_path: string | null;
    readonly status: string;
    readonly additions: number;
    readonly deletions: number;
    readonly binary: boolean;
  }[];
  readonly truncated: boolean;
  readonly renames_limited: boolean;
}

export const repoDiffCommand: Command = {
  words: ['repo', 'diff'],
  summary: 'Show what a branch, tag or commit changes next to another one',
  details:
    'Compares the commit where both began with HEAD-REF, as "git diff BASE...HEAD-REF" does, and prints a patch for "git apply". ' +
    'Name the repo of a fork or parent before a colon: notes-try:main.',
  arguments: [
    { name: 'NAME', description: 'the name of the repo' },
    { name: 'BASE', description: 'a branch, tag or commit id' },
    { name: 'HEAD-REF', description: 'the same, with the changes' },
  ],
  options: [
    { name: 'stat', description: 'List the changed files with their lines, as --json does' },
    namespaceOption,
    ...apiOptions,
  ],
  examples: ['repo diff notes main next', 'repo diff notes main notes-try:main --stat'],
  async run(invocation, io) {
    const name = invocation.argument('NAME');
    const [base, head] = [invocation.argument('BASE'), invocation.argument('HEAD-REF')];
    const about = aboutRepo(io, invocation.text('namespace') ?? '', name);
    const request = {
      method: 'GET',
      path: [...repos(invocation), name, 'compare'],
      query: { base, head },
      explain: (refused: Refused) => missingEnd(refused, about.subject, base, head),
      ...about,
    } as const;
    const api = apiOf(invocation, io);
    if (!invocation.flag('stat') && !invocation.flag('json')) {
      await printBytes(await api.bytes({ ...request, accept: 'text/x-diff' }), invocation, io);
      return 0;
    }
    const found = (await api.one(request)) as Comparison;
    printResult(invocation, io, found, (screen) => {
      const rows = found.files.map(({ path, previous_path: from, status, binary, ...lines }) => [
        shown(status),
        ...(binary ? ['-', '-'] : [shown(lines.additions), shown(lines.deletions)]),
        from === null ? shown(path) : `${shown(from)} => ${shown(path)}`,
      ]);
      return `${table(['STATUS', 'ADDED', 'DELETED', 'PATH'], rows, 'No file differs.', screen)}Commits ahead: ${found.ahead}, behind: ${found.behind}\n`;
    });
    if (found.truncated) io.err('There are more commits or files than one comparison lists.\n');
    if (found.renames_limited) io.err('Too many files changed to look for all renames.\n');
    return 0;
  },
};

/** A repo that one of the revisions names may be missing, too. */
function missingEnd(refused: Refused, subject: string, base: string, head: string): CliError | undefined {
  const ends = [base, head].filter((end) => end.includes(':'));
  if (refused.error.message === 'Repository not found' && ends.length > 0) {
    return new CliError(
      'refused',
      `There is no ${subject}, or no fork or parent of it as in ${ends.map((end) => `"${end}"`).join(' and ')}.`,
      'Write NAMESPACE/NAME:REF for a repo of another namespace.',
    );
  }
  return explained(refused, subject, `${base}" or "${head}`, undefined);
}
