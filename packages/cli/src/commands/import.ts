import { basename, resolve } from 'node:path';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command/command.ts';
import { lastWords, runGit, type GitOutput } from '../git/run-git.ts';
import type { Io } from '../io.ts';
import { fields, printResult, shown } from '../output/print.ts';

/** REPO-053. */
interface CreatedRepo {
  readonly name: string;
  readonly default_branch: string;
  readonly remote: string;
  readonly token: string;
}

/** What is in a directory that is to become a repo. */
interface Found {
  readonly gitDir: string;
  readonly refs: number;
  readonly defaultBranch: string;
}

export const importCommand: Command = {
  words: ['import'],
  summary: 'Make a repo of a Git directory',
  details:
    'Pushes all refs of the directory but those of other remotes (refs/remotes). The default branch is what its HEAD names. If the push fails, there is no repo. It takes the git program. To import from a URL, ask the service: REPO-125.',
  arguments: [
    { name: 'DIR', description: 'the directory, such as notes.git' },
    { name: 'REPO', description: 'the name of the new repo (default: that of the directory)', optional: true },
  ],
  options: [{ name: 'description', value: 'TEXT', description: 'What it is for' }, namespaceOption, ...apiOptions],
  examples: ['import notes.git', 'import /backup/notes.git notes-again --namespace team'],
  async run(invocation, io) {
    const directory = resolve(io.cwd, invocation.argument('DIR'));
    const name = invocation.optionalArgument('REPO') ?? basename(directory).replace(/\.git$/, '');
    const found = await look(io, directory);
    const namespace = invocation.text('namespace') ?? '';
    const description = invocation.text('description');
    const api = apiOf(invocation, io);
    const path = ['namespaces', namespace, 'repos'];
    const about = {
      subject: `repo "${name}" in namespace "${namespace}"`,
      lookUp: `"${io.program} repo list --namespace ${namespace}" shows those there are.`,
    };
    const made = (await api.one({
      method: 'POST',
      path,
      spelling: async () => ((await api.one({ method: 'GET', path: [...path, name], ...about })) as CreatedRepo).name,
      body: { name, default_branch: found.defaultBranch, ...(description === undefined ? {} : { description }) },
      ...about,
    })) as CreatedRepo;
    const pushed = found.refs === 0 ? undefined : await push(io, found, made);
    if (pushed !== undefined && pushed.code !== 0) {
      await api.one({ method: 'DELETE', path: [...path, name], ...about });
      throw new CliError(
        'refused',
        `git could not push ${directory}:\n${lastWords(pushed)}`,
        'There is no repo of it; run it again when what git says is mended.',
      );
    }
    printResult(invocation, io, { ...made, refs: found.refs }, () =>
      fields([
        ['Made repo', made.name],
        ['refs', found.refs],
        ['default branch', made.default_branch],
        ['remote', made.remote],
        ['token', `${shown(made.token)}   (for Git, may write; shown only now)`],
      ]),
    );
    return 0;
  },
};

async function look(io: Io, directory: string): Promise<Found> {
  const git = async (...args: readonly string[]): Promise<GitOutput> => await runGit(io, ['-C', directory, ...args]);
  const dir = await git('rev-parse', '--absolute-git-dir');
  if (dir.code !== 0) {
    throw new CliError(
      'usage',
      `${directory} is no Git directory:\n${lastWords(dir)}`,
      'Name a directory that "git clone --bare" or "export" has made, or one with a .git in it.',
    );
  }
  if ((await git('rev-parse', '--is-shallow-repository')).out.trim() === 'true') {
    throw new CliError(
      'usage',
      `${directory} is shallow: it lacks the beginning of its history, and a push cannot say so.`,
      'Run "git fetch --unshallow" in it first.',
    );
  }
  const refs = (await git('for-each-ref', '--format=%(refname)')).out.split('\n').slice(0, -1);
  const head = await git('symbolic-ref', '--quiet', 'HEAD');
  return {
    gitDir: dir.out.trimEnd(),
    refs: refs.filter((ref) => !ref.startsWith('refs/remotes/')).length,
    defaultBranch: /^refs\/heads\/(.+)$/.exec(head.out.trimEnd())?.[1] ?? 'main',
  };
}

async function push(io: Io, { gitDir }: Found, { remote, token }: CreatedRepo): Promise<GitOutput> {
  const refs = ['+refs/*:refs/*', '^refs/remotes/*'];
  return await runGit(io, ['--git-dir', gitDir, 'push', '--quiet', '--', remote, ...refs], { remote, token });
}
