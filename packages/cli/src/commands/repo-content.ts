import { aboutRepo } from '../api/about-repo.ts';
import { apiOf, apiOptions, jsonOption, namespaceOption, printBytes } from '../api/options.ts';
import type { Command } from '../command/command.ts';
import { parseTime } from '../command/parse-time.ts';
import { CliError } from '../output/cli-error.ts';
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
      const about = aboutRepo(io, invocation.text('namespace') ?? '', invocation.argument('NAME'));
      const ref = invocation.optionalArgument('REF');
      const [limit = '', path, author, parents] = ['limit', 'path', 'author', 'parents'].map(invocation.text);
      const [since, until] = ['since', 'until'].map((option) => {
        const text = invocation.text(option);
        return text === undefined ? undefined : String(Math.floor(parseTime(option, text, Date.now()) / 1000));
      });
      const pages = apiOf(invocation, io).pages({
        method: 'GET',
        path: [...repos(invocation), invocation.argument('NAME'), 'log'],
        query: { ref, limit, path, author, parents, since, until },
        explain: (refused) => explained(refused, about.subject, ref ?? 'HEAD', undefined),
        ...about,
      });
      const rows: CommitLine[] = [];
      // A page may end early where much had to be looked at.
      for await (const page of pages as AsyncIterable<readonly CommitLine[]>) {
        rows.push(...page.slice(0, Math.min(Number(limit), 1000) - rows.length));
        if (rows.length >= Math.min(Number(limit), 1000)) break;
      }
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
      const about = aboutRepo(io, invocation.text('namespace') ?? '', invocation.argument('NAME'));
      const [ref, path] = [invocation.text('ref'), invocation.argument('PATH')];
      const bytes = await apiOf(invocation, io).bytes({
        method: 'GET',
        path: [...repos(invocation), invocation.argument('NAME'), 'file'],
        query: { ref, path },
        explain: ({ error }) =>
          error.message === 'File not found'
            ? new CliError(
                'refused',
                `There is no file "${path}" at "${ref ?? 'HEAD'}".`,
                'List the files with "repo ls --recursive", and branches and tags with "repo refs".',
              )
            : undefined,
        ...about,
      });
      await printBytes(bytes, invocation, io);
      return 0;
    },
  },
];

/** Formats Unix seconds, which a commit may have beyond all dates. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
}
