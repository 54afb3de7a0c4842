import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runGit } from '../internal/run-git.ts';
import { historyStream, type HistorySizes } from './history.ts';
import { manyCommitsStream, manyFilesStream } from './large-inputs.ts';
import { manyRefsStream } from './many-refs.ts';
import { smallCommitsStream } from './small-commits.ts';

/** Part of each cached name. Raise it with each change to the output of the generators. */
const generatorVersion = 1;

/** `deltas`: keep those of fast-import, or search for better ones, which takes longer. */
const make = async (
  stream: Iterable<Buffer | string>,
  path: string,
  deltas: 'kept' | 'anew' = 'kept',
): Promise<void> => {
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', path]);
  await runGit(['fast-import', '--quiet'], { cwd: path, input: Readable.from(stream, { objectMode: true }) });
  await runGit(['repack', '-a', '-d', '-q', ...(deltas === 'anew' ? ['-f'] : [])], { cwd: path });
  await runGit(['pack-refs', '--all'], { cwd: path });
};

/** Returns the bare repository of a stream, made once per machine in the temporary folder of the system. */
const cached = async (
  name: string,
  key: object,
  stream: () => Iterable<Buffer | string>,
  deltas?: 'anew',
): Promise<string> => {
  const digest = createHash('sha256')
    .update(JSON.stringify([generatorVersion, key]))
    .digest('hex')
    .slice(0, 12);
  const folder = join(tmpdir(), 'packhouse-bench');
  const path = join(folder, `${name}-v${generatorVersion}-${digest}.git`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  // Renamed when it is complete: a later run must not use the repository of an interrupted one.
  const unfinished = join(folder, `unfinished-${randomUUID()}`);
  try {
    await make(stream(), unfinished, deltas);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
  return path;
};

/** Writes a generated history to a new bare repository at `path`. */
export const writeGeneratedRepository = (sizes: HistorySizes, path: string): Promise<void> =>
  make(historyStream(sizes), path);

/** Returns the path of a bare repository with a generated history, made at the first call on this machine. */
export const generatedRepository = (sizes: HistorySizes): Promise<string> =>
  cached('history', sizes, () => historyStream(sizes));

/**
 * Returns the path of a bare repository with `count` branches and tags over a short history, made at the first call.
 */
export const repositoryWithManyRefs = (count: number): Promise<string> =>
  cached('refs', { count }, () => manyRefsStream(count));

/**
 * Returns the path of a bare repository with one branch of `count` small commits after its first, made at the first
 * call.
 */
export const repositoryOfSmallCommits = (count: number): Promise<string> =>
  cached('line', { count }, () => smallCommitsStream(count));

/** Does the same with a file of `noise` bytes that do not compress. Everything else is packed as tightly as git can. */
export const packedRepositoryOfSmallCommits = (count: number, noise: number): Promise<string> =>
  cached('packed', { count, noise }, () => smallCommitsStream(count, noise), 'anew');

/** Returns the path of a bare repository with `count` small files in one commit, made at the first call. */
export const repositoryWithManyFiles = (count: number): Promise<string> =>
  cached('files', { count }, () => manyFilesStream(count));

/** Returns the path of a bare repository with a line of `count` commits without files, made at the first call. */
export const repositoryWithManyCommits = (count: number): Promise<string> =>
  cached('commits', { count }, () => manyCommitsStream(count));
