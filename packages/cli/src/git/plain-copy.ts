import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError, type Io } from '@packhouse/command';
import { lastWords, runGit } from './run-git.ts';

/** A Git directory of the user. */
export interface GitDirectory {
  readonly path: string;
  /** The path of its objects. */
  readonly objects: string;
  /** One text per ref: id, space, name. */
  readonly refs: readonly string[];
}

/**
 * Makes a bare directory with the refs of another one, whose objects it reads in place, and runs `work` on it. The copy
 * leaves out configuration and hooks: through these, `git` would run programs, write files and send a token to the
 * author of the directory.
 *
 * @throws {CliError} if `git` cannot make it, for example because a ref points to a missing object.
 * @throws what `work` throws.
 */
export async function withPlainCopy<Result>(
  io: Io,
  { path, objects, refs }: GitDirectory,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const git = async (args: readonly string[], text?: string): Promise<void> => {
    const ended = await runGit(io, args, text === undefined ? {} : { text });
    if (ended.code === 0) return;
    throw new CliError('usage', `git could not read ${path}:\n${lastWords(ended)}`, 'Run "git fsck" in it.');
  };
  const copy = mkdtempSync(join(tmpdir(), 'packhouse-import-'));
  try {
    await git(['init', '--quiet', '--bare', '--template=', '--object-format=sha1', copy]);
    // Quoted as in C, which allows line ends in a path.
    writeFileSync(join(copy, 'objects', 'info', 'alternates'), `${JSON.stringify(objects)}\n`);
    const commands = refs.map((ref) => ref.replace(/^(\w+) (.+)$/, 'create $2 $1\n'));
    await git(['--git-dir', copy, 'update-ref', '--stdin'], commands.join(''));
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
