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

type Kind = 'merges' | 'cherry-picks' | 'reverts';

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
    run: (invocation, io) => run(invocation, io, 'merges', invocation.argument('FROM'), mergeOf(invocation)),
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
  kind: Kind,
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
    explain: (refused) => explained(refused, { subject: about.subject, kind, branch, from }),
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

function explained(
  { error }: Refused,
  {
    subject,
    kind,
    branch,
    from,
  }: { readonly subject: string; readonly kind: Kind; readonly branch: string; readonly from: string },
): CliError | undefined {
  if (error.code === mergeConflict) {
    const conflicts = (error.details?.['conflicts'] ?? []) as readonly { readonly path: string }[];
    const paths = conflicts.map((conflict) => shown(conflict.path)).join(', ');
    return new CliError(
      'refused',
      `${shown(from)} does not merge into ${shown(branch)}. These paths are in conflict: ${paths}.`,
      kind === 'merges'
        ? `Resolve them in a clone. Without one: commit the version of ${shown(branch)} to ${shown(from)}, merge ${shown(branch)} into that, commit the solution there, and merge again.`
        : 'Commit the solution with "repo commit", or apply it in a clone.',
    );
  }
  switch (error.source?.pointer) {
    case '/mainline':
      return new CliError(
        'refused',
        `${error.message}.`,
        'Give --mainline NUMBER; 1 is the parent that the other commits were merged into.',
      );
    case '/into':
      if (error.message !== 'Ref not found') return undefined;
      return new CliError('refused', `The ${subject} has no branch "${branch}".`, 'List them with "repo refs".');
    case '/from/repo':
    case '/commit/repo':
      return new CliError(
        'refused',
        `"${from}" does not name a fork or parent of the ${subject}.`,
        'Write NAME:REF, with the name of the other repo. Repos that are no forks of each other do not merge.',
      );
    case '/from':
    case '/commit':
      if (error.message !== 'Ref not found') return undefined;
      return new CliError(
        'refused',
        `There is no "${from}".`,
        'List branches and tags with "repo refs". A commit id has 40 digits, and NAME:REF is in another repo.',
      );
    default:
      return undefined;
  }
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

function mergeOf(invocation: Invocation): Readonly<Record<string, unknown>> {
  const strategy = invocation.text('strategy');
  if (strategy === 'squash' && invocation.text('message') === undefined) {
    throw new CliError('usage', 'A squash needs a message.', 'Give -m TEXT.');
  }
  const author = strategy === 'ff-only' ? {} : { author: signatureOf(invocation) };
  return { from: invocation.argument('FROM'), strategy, ...author };
}

/** @throws {CliError} kind `usage` for a text that does not number a parent. */
function mainlineOf(invocation: Invocation): number | undefined {
  const text = invocation.text('mainline');
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError('usage', `--mainline cannot be "${text}".`, 'Write the number of a parent, 1 or more.');
}
