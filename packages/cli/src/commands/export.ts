import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, printResult, shown, startProgress, type Command } from '@packhouse/command';
import { repoOf } from '../api/api.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { demandFree, makeDirectory } from '../data-folder/new-directory.ts';
import { lastWords, runGit, type GitOutput } from '../git/run-git.ts';

export const exportCommand: Command = {
  words: ['export'],
  summary: 'Write a repo as a plain bare Git directory',
  details:
    'All refs that the service shows, their objects, and HEAD at the default branch. The directory appears when it is whole. It takes the git program, and a token for reading that is revoked at the end.',
  arguments: [
    { name: 'REPO', description: 'the name of the repo' },
    { name: 'DIR', description: 'the directory to make, such as notes.git; it must be new or empty' },
  ],
  options: [namespaceOption, ...apiOptions],
  examples: ['export notes notes.git', 'export notes /backup/notes.git --namespace team'],
  async run(invocation, io) {
    const target = resolve(io.cwd, invocation.argument('DIR'));
    demandFree(target);
    const source = repoOf(invocation, io, invocation.argument('REPO'));
    const repo = await source.settle(source.repo.info());
    const token = await source.settle(source.repo.createToken({ scope: 'read', ttl: 3600 }));
    const progress = startProgress(io);
    const making = `${target}.${randomBytes(6).toString('hex')}`;
    const git = async (...args: readonly string[]): Promise<GitOutput> => {
      const credential = { remote: repo.remote, token: token.plaintext };
      const ended = await runGit(io, ['--git-dir', making, ...args], { credential, progress });
      if (ended.code !== 0) throw failed(repo.name, ended);
      return ended;
    };
    try {
      makeDirectory(making);
      progress.show(`Exporting ${repo.name}`);
      await git('init', '--quiet', '--bare', '--object-format=sha1');
      const said = progress.isShown ? '--progress' : '--quiet';
      await git('fetch', said, '--update-shallow', '--no-auto-gc', '--', repo.remote, '+refs/*:refs/*');
      await git('symbolic-ref', 'HEAD', `refs/heads/${repo.default_branch}`);
      await git('pack-refs', '--all');
      const refs = (await git('for-each-ref', '--format=%(refname)')).out.split('\n').length - 1;
      rmSync(`${making}/FETCH_HEAD`, { force: true });
      renameSync(making, target);
      progress.end();
      const result = { repo: repo.name, directory: target, refs, default_branch: repo.default_branch };
      printResult(
        invocation,
        io,
        result,
        () => `Exported ${shown(repo.name)} with ${refs} ${refs === 1 ? 'ref' : 'refs'} to ${target}\n`,
      );
      return 0;
    } finally {
      progress.end();
      rmSync(making, { recursive: true, force: true });
      // Best effort: the token expires within the hour anyway.
      await source.repo.revokeToken(token.id).catch(() => undefined);
    }
  },
};

function failed(repo: string, ended: GitOutput): CliError {
  return new CliError(
    'refused',
    `git could not fetch ${shown(repo)}:\n${lastWords(ended)}`,
    'Nothing was left behind; run it again when what git says is mended.',
  );
}
