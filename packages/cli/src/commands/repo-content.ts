import { aboutRepo } from '../api/about-repo.ts';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import type { Command } from '../command/command.ts';
import { printResult, shown, table } from '../output/print.ts';
import { repos } from './repo.ts';
import { explained } from './repo-archive.ts';

/** A commit as the service returns it (REPO-055). */
interface CommitLine {
  readonly hash: string;
  readonly message: string;
  readonly author: { readonly name: string };
  readonly committedAt: number;
}

/** An entry of a folder as the service returns it (REPO-262). */
interface EntryLine {
  readonly mode: string;
  readonly hash: string;
  readonly type: string;
  readonly path: string;
  readonly size: number | null;
}

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
    details: 'It follows the first parent of each commit.',
    arguments: [name, revision],
    options: [
      { name: 'limit', value: 'COUNT', description: 'The most commits to show, up to 1,000', default: '50' },
      ...options,
    ],
    examples: ['repo log notes', 'repo log notes main~2 --limit 5'],
    async run(invocation, io) {
      const about = aboutRepo(io, invocation.text('namespace') ?? '', invocation.argument('NAME'));
      const ref = invocation.optionalArgument('REF');
      const rows = (await apiOf(invocation, io).one({
        method: 'GET',
        path: [...repos(invocation), invocation.argument('NAME'), 'log'],
        query: { ref, limit: invocation.text('limit') },
        explain: (refused) => explained(refused, about.subject, ref ?? 'HEAD', undefined),
        ...about,
      })) as readonly CommitLine[];
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
      const about = aboutRepo(io, invocation.text('namespace') ?? '', invocation.argument('NAME'));
      const [ref, path] = ['REF', 'PATH'].map((wanted) => invocation.optionalArgument(wanted));
      const rows = (await apiOf(invocation, io).byCursor({
        method: 'GET',
        path: [...repos(invocation), invocation.argument('NAME'), 'tree'],
        query: {
          ref,
          path,
          recursive: String(invocation.flag('recursive')),
        },
        explain: (refused) => explained(refused, about.subject, ref ?? 'HEAD', path),
        ...about,
      })) as readonly EntryLine[];
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
];

/** Formats Unix seconds, which a commit may have beyond all dates. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}
