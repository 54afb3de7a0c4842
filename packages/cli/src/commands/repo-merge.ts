import type { BodyOf, PackhouseError, Repo, ResultOf } from '@packhouse/client';
import {
  CliError,
  printResult,
  shown,
  type Command,
  type Invocation,
  type Io,
  type OptionSpec,
} from '@packhouse/command';
import { repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';

type Merged = ResultOf<'merge'> | ResultOf<'cherryPick'> | ResultOf<'revert'>;

/** The error code for a merge with conflicts (REPO-282), and its details. */
const mergeConflict = 10206;
interface Conflicts {
  readonly conflicts: readonly { readonly path: string }[];
  readonly truncated: boolean;
}

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
    run(invocation, io) {
      const from = invocation.argument('FROM');
      const merge = mergeOf(invocation);
      return run(invocation, io, from, true, (repo, into) => repo.merge({ into, from, ...merge }));
    },
  },
  {
    words: ['repo', 'cherry-pick'],
    summary: 'Apply the change of a commit to a branch',
    details: 'The author and the message stay; you are the committer. The commit may be in a fork: notes-try:main.',
    arguments: [name, { name: 'COMMIT', description: 'the commit, or a branch or tag that leads to it' }],
    options: [into, mainline, message, ...people, ...others],
    examples: ['repo cherry-pick notes topic~1 --into main'],
    run(invocation, io) {
      const pick = pickOf(invocation);
      const committer = signatureOf(invocation);
      return run(invocation, io, pick.commit, false, (repo, into) => repo.cherryPick({ into, committer, ...pick }));
    },
  },
  {
    words: ['repo', 'revert'],
    summary: 'Undo the change of a commit on a branch',
    arguments: [name, { name: 'COMMIT', description: 'the commit, or a branch or tag that leads to it' }],
    options: [into, mainline, message, ...people, ...others],
    examples: ['repo revert notes main~2'],
    run(invocation, io) {
      const pick = pickOf(invocation);
      const author = signatureOf(invocation);
      return run(invocation, io, pick.commit, false, (repo, into) => repo.revert({ into, author, ...pick }));
    },
  },
];

async function run(
  invocation: Invocation,
  io: Io,
  from: string,
  isMerge: boolean,
  call: (repo: Repo, into: string) => Promise<Merged>,
): Promise<number> {
  const { repo, settle, subject } = repoOf(invocation, io);
  const branch = invocation.text('into') ?? (await settle(repo.info())).default_branch;
  const merged = await settle(call(repo, branch), {
    explain: (error) => explained(error, { subject, isMerge, branch, from }),
  });
  const isIdle = merged.ref.old === merged.ref.new;
  printResult(invocation, io, merged, () =>
    isIdle
      ? `${shown(branch)} has ${shown(from)} already.\n`
      : `${shown(branch)} is at ${shown(merged.ref.new)} now.\n`,
  );
  return 0;
}

function explained(
  { code, reason, details, errors: [item] }: PackhouseError,
  {
    subject,
    isMerge,
    branch,
    from,
  }: { readonly subject: string; readonly isMerge: boolean; readonly branch: string; readonly from: string },
): CliError | undefined {
  if (code === mergeConflict) {
    const { conflicts = [], truncated = false } = (details ?? {}) as Partial<Conflicts>;
    const paths = conflicts.map(({ path }) => shown(path)).join(', ');
    return new CliError(
      'refused',
      `${shown(from)} does not merge into ${shown(branch)}. These paths are in conflict: ${paths}${truncated ? ', and more' : ''}.`,
      isMerge
        ? `Resolve them in a clone. Without one: commit the version of ${shown(branch)} to ${shown(from)}, merge ${shown(branch)} into that, commit the solution there, and merge again.`
        : 'Commit the solution with "repo commit", or apply it in a clone.',
    );
  }
  switch (item?.source?.pointer) {
    case '/mainline':
      return new CliError(
        'refused',
        `${shown(item.message)}.`,
        'Give --mainline NUMBER; 1 is the parent that the other commits were merged into.',
      );
    case '/into':
      if (reason !== 'ref_not_found') return undefined;
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
      if (reason !== 'ref_not_found') return undefined;
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

/** @throws {CliError} kind `usage` without a message or author where one is needed. */
function mergeOf(invocation: Invocation): Omit<BodyOf<'merge'>, 'from' | 'into'> {
  const strategy = invocation.text('strategy') as NonNullable<BodyOf<'merge'>['strategy']>;
  const message = invocation.text('message');
  if (strategy === 'squash' && message === undefined) {
    throw new CliError('usage', 'A squash needs a message.', 'Give -m TEXT.');
  }
  return dropUndefined({ strategy, message, author: strategy === 'ff-only' ? undefined : signatureOf(invocation) });
}

/** @throws {CliError} kind `usage` for a `--mainline` that does not number a parent. */
function pickOf(
  invocation: Invocation,
): Pick<BodyOf<'revert'>, 'commit' | 'mainline' | 'message'> & { readonly commit: string } {
  const mainline = invocation.text('mainline');
  if (mainline !== undefined && !/^[1-9]\d{0,8}$/.test(mainline)) {
    throw new CliError('usage', `--mainline cannot be "${mainline}".`, 'Write the number of a parent, 1 or more.');
  }
  return dropUndefined({
    commit: invocation.argument('COMMIT'),
    mainline: mainline === undefined ? undefined : Number(mainline),
    message: invocation.text('message'),
  });
}
