import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { lastWords, runGit } from './run-git.ts';

/** What there is in a Git directory of somebody. */
export interface GitDirectory {
  readonly path: string;
  /** Where its objects are. */
  readonly objects: string;
  /** Id and name of each ref, with a space between. */
  readonly refs: readonly string[];
}

/**
 * Makes a bare directory of the refs of another, whose objects it reads where they are, and has `work` do something with
 * it. The configuration and the hooks of the other, by which `git` would run programs, write files and send a token to
 * whoever wrote them, are not in it.
 *
 * @throws {CliError} if `git` cannot make it, such as for a ref to what is not there.
 * @throws what `work` does.
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
    // Quoted as in C, which is how a name with a line end may be in it.
    writeFileSync(join(copy, 'objects', 'info', 'alternates'), `${JSON.stringify(objects)}\n`);
    const commands = refs.map((ref) => ref.replace(/^(\w+) (.+)$/, 'create $2 $1\n'));
    await git(['--git-dir', copy, 'update-ref', '--stdin'], commands.join(''));
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
