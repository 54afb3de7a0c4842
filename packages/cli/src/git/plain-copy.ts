import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { runGit, type GitOutput } from './run-git.ts';

/** What there is in a Git directory of somebody. */
export interface GitDirectory {
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
 * @returns what `work` does, or what `git` said if there is no such copy.
 */
export async function withPlainCopy(
  io: Io,
  { objects, refs }: GitDirectory,
  work: (copy: string) => Promise<GitOutput>,
): Promise<GitOutput> {
  const copy = mkdtempSync(join(tmpdir(), 'packhouse-import-'));
  try {
    const made = await runGit(io, ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', copy]);
    if (made.code !== 0) return made;
    // Quoted as in C, which is how a name with a line end may be in it.
    writeFileSync(join(copy, 'objects', 'info', 'alternates'), `${JSON.stringify(objects)}\n`);
    const commands = refs.map((ref) => ref.replace(/^(\w+) (.+)$/, 'create $2 $1\n'));
    const filled = await runGit(io, ['--git-dir', copy, 'update-ref', '--stdin'], { text: commands.join('') });
    return filled.code === 0 ? await work(copy) : filled;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
