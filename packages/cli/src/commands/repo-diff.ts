import type { PackhouseError } from '@packhouse/client';
import { CliError, printResult, shown, table, type Command } from '@packhouse/command';
import { receive, repoOf } from '../api/api.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { explained } from './repo-archive.ts';

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
    const [base, head] = [invocation.argument('BASE'), invocation.argument('HEAD-REF')];
    const { repo, settle, subject } = repoOf(invocation, io);
    const explain = (error: PackhouseError): CliError | undefined => missingEnd(error, subject, base, head);
    if (!invocation.flag('stat') && !invocation.flag('json')) {
      await receive(await settle(repo.patch({ base, head }), { explain }), io.outBytes, invocation, io);
      return 0;
    }
    const found = await settle(repo.compare({ base, head }), { explain });
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
function missingEnd(error: PackhouseError, subject: string, base: string, head: string): CliError | undefined {
  const ends = [base, head].filter((end) => end.includes(':'));
  if (error.reason === 'repo_not_found' && ends.length > 0) {
    return new CliError(
      'refused',
      `There is no ${subject}, or no fork or parent of it as in ${ends.map((end) => `"${end}"`).join(' and ')}.`,
      'Write NAMESPACE/NAME:REF for a repo of another namespace.',
    );
  }
  return explained(error, subject, `${base}" or "${head}`, undefined);
}
