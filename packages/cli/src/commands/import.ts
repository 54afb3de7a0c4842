import { basename, resolve } from 'node:path';
import type { PackhouseError } from '@packhouse/client';
import {
  CliError,
  fields,
  printResult,
  shellWord,
  shown,
  startProgress,
  type Command,
  type Io,
  type Progress,
} from '@packhouse/command';
import { repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { withPlainCopy, type GitDirectory } from '../git/plain-copy.ts';
import { lastWords, runGit, type GitOutput } from '../git/run-git.ts';
import type { CreatedRepo } from './repo.ts';

/** The Git directory to import, with the name of its default branch. */
interface Found extends GitDirectory {
  readonly defaultBranch: string;
}

export const importCommand: Command = {
  words: ['import'],
  summary: 'Make a repo of a Git directory',
  details:
    'Pushes all refs of the directory but those of other remotes (refs/remotes). The default branch is what its HEAD names. If the push fails, there is no repo. Configuration and hooks of the directory count for nothing. It takes the git program. For a URL there is "repo import".',
  arguments: [
    { name: 'DIR', description: 'the directory, such as notes.git' },
    { name: 'REPO', description: 'the name of the new repo (default: that of the directory)', optional: true },
  ],
  options: [{ name: 'description', value: 'TEXT', description: 'What it is for' }, namespaceOption, ...apiOptions],
  examples: ['import notes.git', 'import /backup/notes.git notes-again --namespace team'],
  async run(invocation, io) {
    const argument = invocation.argument('DIR');
    if (/^[a-z+]+:\/\//i.test(argument)) {
      throw new CliError(
        'usage',
        // The message omits the URL, which may contain a password.
        'DIR is a URL, and "import" takes a directory.',
        `"${io.program} repo import" takes a URL.`,
      );
    }
    const directory = resolve(io.cwd, argument);
    const name = invocation.optionalArgument('REPO') ?? basename(directory).replace(/\.git$/, '');
    const found = await look(io, directory);
    const { repo, create } = repoOf(invocation, io, name);
    const progress = startProgress(io);
    progress.show(`Importing ${name}`);
    // A directory that cannot be copied fails here, before the service creates anything.
    return await withPlainCopy(io, found, async (copy) => {
      const made = await create(
        dropUndefined({ default_branch: found.defaultBranch, description: invocation.text('description') }),
      );
      const pushed = found.refs.length === 0 ? undefined : await push(io, copy, made, progress);
      if (pushed !== undefined && pushed.code !== 0) {
        const isGone = await repo.delete().then(
          () => true,
          // An attempt whose reply was lost may have deleted it.
          ({ status }: Partial<PackhouseError>) => status === 404,
        );
        throw new CliError(
          'refused',
          `git could not push ${directory}:\n${lastWords(pushed)}`,
          isGone
            ? 'There is no repo of it; run it again when what git says is mended.'
            : `The repo "${name}" could not be deleted, so it is there without all refs: "${io.program} repo delete ${shellWord(name)}" when the service answers.`,
        );
      }
      progress.end();
      printResult(invocation, io, { ...made, refs: found.refs.length }, () =>
        fields([
          ['Made repo', made.name],
          ['refs', found.refs.length],
          ['default branch', made.default_branch],
          ['remote', made.remote],
          ['token', `${shown(made.token)}   (for Git, may write; shown only now)`],
        ]),
      );
      return 0;
    }).finally(progress.end);
  },
};

async function look(io: Io, directory: string): Promise<Found> {
  const git = async (...args: readonly string[]): Promise<GitOutput> => await runGit(io, ['-C', directory, ...args]);
  const told = async (...args: readonly string[]): Promise<string> => (await git(...args)).out.trimEnd();
  const within = await git('rev-parse', '--show-prefix');
  if (within.code !== 0 || within.out.trimEnd() !== '') {
    throw new CliError(
      'usage',
      `${directory} is no Git directory${within.code === 0 ? ', but a folder within one.' : `:\n${lastWords(within)}`}`,
      'Name a directory that "git clone --bare" or "export" has made, or one with a .git in it.',
    );
  }
  if ((await told('rev-parse', '--is-shallow-repository')) === 'true') {
    throw new CliError(
      'usage',
      `${directory} is shallow: it lacks the beginning of its history, and a push cannot say so.`,
      'Run "git fetch --unshallow" in it first.',
    );
  }
  if ((await told('rev-parse', '--show-object-format')) !== 'sha1') {
    throw new CliError('usage', `${directory} has objects of SHA-256, which no service takes.`, 'Make one of SHA-1.');
  }
  const refs = (await told('for-each-ref', '--format=%(objectname) %(refname)')).split('\n');
  return {
    path: directory,
    objects: resolve(directory, await told('rev-parse', '--git-path', 'objects')),
    refs: refs.filter((ref) => ref !== '' && !ref.includes(' refs/remotes/')),
    defaultBranch: /^refs\/heads\/(.+)$/.exec(await told('symbolic-ref', '--quiet', 'HEAD'))?.[1] ?? 'main',
  };
}

async function push(io: Io, copy: string, { remote, token }: CreatedRepo, progress: Progress): Promise<GitOutput> {
  const said = progress.isShown ? '--progress' : '--quiet';
  const args = ['--git-dir', copy, 'push', said, '--', remote, '+refs/*:refs/*'];
  return await runGit(io, args, { credential: { remote, token }, progress });
}
