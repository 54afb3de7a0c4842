import type { QueryOf } from '@packhouse/client';
import { CliError, parseTime, printResult, shown, table, type Command } from '@packhouse/command';
import { all, receive, repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, jsonOption, namespaceOption } from '../api/options.ts';
import { explained } from './repo-archive.ts';

const name = { name: 'NAME', description: 'the name of the repo' };
const revision = {
  name: 'REF',
  description: 'a branch, tag or commit id, and behind it steps such as ~2 (default: HEAD)',
  optional: true,
};
const options = [namespaceOption, ...apiOptions];

export const repoContentCommands: readonly Command[] = [
  {
    words: ['repo', 'log'],
    summary: 'Show the commits of a branch, tag or commit, newest first',
    details: 'It follows the first parent of each commit, unless --parents is "all".',
    arguments: [name, revision],
    options: [
      { name: 'limit', value: 'COUNT', description: 'The most commits to show, up to 1,000', default: '50' },
      { name: 'path', value: 'PATH', description: 'Only commits that change this file or folder' },
      { name: 'author', value: 'TEXT', description: 'Only commits whose author, "Name <address>", contains it' },
      { name: 'since', value: 'TIME', description: 'Only commits since then: 2h or 1d ago, or a time of ISO 8601' },
      { name: 'until', value: 'TIME', description: 'Only commits until then' },
      { name: 'parents', value: 'WHICH', choices: ['first', 'all'], description: 'The parents to follow' },
      ...options,
    ],
    examples: ['repo log notes', 'repo log notes main~2 --limit 5', 'repo log notes --path docs --since 2026-11-01'],
    async run(invocation, io) {
      const ref = invocation.optionalArgument('REF');
      const limit = Number(invocation.text('limit'));
      const [path, author] = ['path', 'author'].map(invocation.text);
      const parents = invocation.text('parents') as QueryOf<'listCommits'>['parents'];
      const [since, until] = ['since', 'until'].map((option) => {
        const text = invocation.text(option);
        return text === undefined ? undefined : Math.floor(parseTime(option, text, Date.now()) / 1000);
      });
      const { repo, settle, subject } = repoOf(invocation, io);
      const commits = repo.log(dropUndefined({ ref, limit, path, author, parents, since, until }));
      const rows = await settle(all(commits, Math.min(limit, 1000)), {
        explain: (error) => explained(error, subject, ref ?? 'HEAD', undefined),
      });
      printResult(invocation, io, rows, (screen) =>
        table(
          ['COMMIT', 'TIME', 'AUTHOR', 'MESSAGE'],
          rows.map(({ hash, committedAt, author, message }) => [
            shown(hash),
            timeOf(committedAt),
            shown(author.name),
            shown(message.split('\n', 1)[0]),
          ]),
          'There are no commits.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['repo', 'ls'],
    summary: 'List a folder of a branch, tag or commit',
    arguments: [name, revision, { name: 'PATH', description: 'the folder (default: the root)', optional: true }],
    options: [{ name: 'recursive', short: 'r', description: 'Also list what is below folders' }, ...options],
    examples: ['repo ls notes', 'repo ls notes main docs --recursive'],
    async run(invocation, io) {
      const [ref, path] = ['REF', 'PATH'].map((wanted) => invocation.optionalArgument(wanted));
      const { repo, settle, subject } = repoOf(invocation, io);
      const entries = repo.listTree(dropUndefined({ limit: 200, ref, path, recursive: invocation.flag('recursive') }));
      const rows = await settle(all(entries), {
        explain: (error) => explained(error, subject, ref ?? 'HEAD', path),
      });
      printResult(invocation, io, rows, (screen) =>
        table(
          ['MODE', 'OBJECT', 'TYPE', 'SIZE', 'PATH'],
          rows.map((row) => [shown(row.mode), shown(row.hash), shown(row.type), shown(row.size), shown(row.path)]),
          'The folder is empty.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['repo', 'cat'],
    summary: 'Print a file of a branch, tag or commit',
    details: 'The bytes are those of the file. A symbolic link prints its target.',
    arguments: [name, { name: 'PATH', description: 'the path of the file, from the root' }],
    options: [
      { name: 'ref', value: 'REF', description: 'A branch, tag or commit id (default: HEAD)' },
      ...options.filter((option) => option !== jsonOption),
    ],
    examples: ['repo cat notes docs/plan.md', 'repo cat notes docs/plan.md --ref main~2'],
    async run(invocation, io) {
      const [ref, path] = [invocation.text('ref'), invocation.argument('PATH')];
      const { repo, settle } = repoOf(invocation, io);
      const file = await settle(repo.readFile(dropUndefined({ ref, path })), {
        explain: ({ reason }) =>
          reason === 'file_not_found'
            ? new CliError(
                'refused',
                `There is no file "${path}" at "${ref ?? 'HEAD'}".`,
                'List the files with "repo ls --recursive", and branches and tags with "repo refs".',
              )
            : undefined,
      });
      await receive(file, io.outBytes, invocation, io);
      return 0;
    },
  },
];

/** Formats Unix seconds, which a commit may have beyond all dates. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}
