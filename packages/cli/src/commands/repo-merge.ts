import { aboutRepo } from '../api/about-repo.ts';
import type { Refused } from '../api/failure.ts';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import type { Command, Invocation, OptionSpec } from '../command/command.ts';
import { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { printResult, shown } from '../output/print.ts';
import { repos } from './repo.ts';

/** The result of a merge, as far as it is printed (REPO-281). */
interface Merged {
  readonly commit: string | null;
  readonly from: string;
  readonly ref: { readonly old: string; readonly new: string };
}

/** The error code for a merge with conflicts (REPO-282). */
const mergeConflict = 10206;

const name = { name: 'NAME', description: 'the name of the repo' };
const into: OptionSpec = {
  name: 'into',
  value: 'BRANCH',
  description: 'The branch that gets the commit (default: the default branch)',
};
/** The options for the author of a commit. */
export const people: readonly OptionSpec[] = [
  { name: 'author-name', value: 'NAME', env: 'GIT_AUTHOR_NAME', description: 'Your name in the commit' },
  { name: 'author-email', value: 'EMAIL', env: 'GIT_AUTHOR_EMAIL', description: 'Your address in the commit' },
];
const message: OptionSpec = {
  name: 'message',
  short: 'm',
  value: 'TEXT',
  description: 'The message (default: as Git)',
};
const mainline: OptionSpec = {
  name: 'mainline',
  value: 'NUMBER',
  description: 'The parent that a merge commit is compared with',
};
const others = [namespaceOption, ...apiOptions];

export const repoMergeCommands: readonly Command[] = [
  {
    words: ['repo', 'merge'],
    summary: 'Merge a branch into another one, also from a fork',
    details:
      'The result is that of "git merge". A conflict changes nothing. Name the repo of a fork or parent before a colon: notes-try:main.',
    arguments: [name, { name: 'FROM', description: 'the branch, tag or commit to merge' }],
    options: [
      into,
      {
        name: 'strategy',
        value: 'STRATEGY',
        choices: ['merge', 'ff-only', 'squash'],
        description: 'Make a merge commit, move the branch alone, or make one commit without the history',
        default: 'merge',
      },
      message,
      ...people,
      ...others,
    ],
    examples: ['repo merge notes topic --into main', 'repo merge notes notes-try:main --strategy ff-only'],
    run: (invocation, io) =>
      run(invocation, io, 'merges', invocation.argument('FROM'), {
        from: invocation.argument('FROM'),
        strategy: invocation.text('strategy'),
        ...(invocation.text('strategy') !== 'ff-only' && { author: signatureOf(invocation) }),
      }),
  },
  {
    words: ['repo', 'cherry-pick'],
    summary: 'Apply the change of a commit to a branch',
    details: 'The author and the message stay; you are the committer. The commit may be in a fork: notes-try:main.',
    arguments: [name, { name: 'COMMIT', description: 'the commit, or a branch or tag that leads to it' }],
    options: [into, mainline, message, ...people, ...others],
    examples: ['repo cherry-pick notes topic~1 --into main'],
    run: (invocation, io) =>
      run(invocation, io, 'cherry-picks', invocation.argument('COMMIT'), {
        commit: invocation.argument('COMMIT'),
        mainline: mainlineOf(invocation),
        committer: signatureOf(invocation),
      }),
  },
  {
    words: ['repo', 'revert'],
    summary: 'Undo the change of a commit on a branch',
    arguments: [name, { name: 'COMMIT', description: 'the commit, or a branch or tag that leads to it' }],
    options: [into, mainline, message, ...people, ...others],
    examples: ['repo revert notes main~2'],
    run: (invocation, io) =>
      run(invocation, io, 'reverts', invocation.argument('COMMIT'), {
        commit: invocation.argument('COMMIT'),
        mainline: mainlineOf(invocation),
        author: signatureOf(invocation),
      }),
  },
];

async function run(
  invocation: Invocation,
  io: Io,
  kind: 'merges' | 'cherry-picks' | 'reverts',
  from: string,
  members: Readonly<Record<string, unknown>>,
): Promise<number> {
  const repoName = invocation.argument('NAME');
  const about = aboutRepo(io, invocation.text('namespace') ?? '', repoName);
  const path = [...repos(invocation), repoName];
  const api = apiOf(invocation, io);
  const branch =
    invocation.text('into') ??
    ((await api.one({ method: 'GET', path, ...about })) as { readonly default_branch: string }).default_branch;
  const merged = (await api.one({
    method: 'POST',
    path: [...path, kind],
    body: { into: branch, message: invocation.text('message'), ...members },
    explain: (refused) => explained(refused, about.subject, branch, from),
    ...about,
  })) as Merged;
  const isIdle = merged.ref.old === merged.ref.new;
  printResult(invocation, io, merged, () =>
    isIdle
      ? `${shown(branch)} has ${shown(from)} already.\n`
      : `${shown(branch)} is at ${shown(merged.ref.new)} now.\n`,
  );
  return 0;
}

function explained({ error }: Refused, subject: string, branch: string, from: string): CliError | undefined {
  if (error.code === mergeConflict) {
    const conflicts = (error.details?.['conflicts'] ?? []) as readonly { readonly path: string }[];
    const paths = conflicts.map((conflict) => shown(conflict.path)).join(', ');
    return new CliError(
      'refused',
      `${shown(from)} does not merge into ${shown(branch)}. These paths are in conflict: ${paths}.`,
      'Resolve them in a clone, or in a commit on the branch that you merge.',
    );
  }
  if (error.message !== 'Ref not found') return undefined;
  return new CliError(
    'refused',
    `The ${subject} has no branch "${branch}", or there is no "${from}".`,
    'List them with "repo refs".',
  );
}

/** @throws {CliError} kind `usage` without a name or an address. */
export function signatureOf(invocation: Invocation): { readonly name: string; readonly email: string } {
  const [authorName, email] = [invocation.text('author-name'), invocation.text('author-email')];
  if (authorName !== undefined && email !== undefined) return { name: authorName, email };
  throw new CliError(
    'usage',
    'A commit needs a name and an address.',
    'Give --author-name and --author-email, or set GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL.',
  );
}

/** @throws {CliError} kind `usage` for what is no number of a parent. */
function mainlineOf(invocation: Invocation): number | undefined {
  const text = invocation.text('mainline');
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError('usage', `--mainline cannot be "${text}".`, 'Write the number of a parent, 1 or more.');
}
