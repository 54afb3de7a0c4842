import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runGit } from '../internal/run-git.ts';
import { historyStream, type HistorySizes } from './history.ts';
import { manyRefsStream } from './many-refs.ts';
import { smallCommitsStream } from './small-commits.ts';

/** Part of each cached name. A change to what the generators write needs a new one. */
const generatorVersion = 1;

/** `deltas`: those that fast-import made, or better ones that take longer to find. */
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

/** The bare repository of a stream, made once a machine and kept in the temporary folder of the system. */
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
  // Under another name until it is whole: a run that was stopped half-way must not leave a repository to trust.
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

/** Makes a generated history as a new bare repository at `path`. */
export const writeGeneratedRepository = (sizes: HistorySizes, path: string): Promise<void> =>
  make(historyStream(sizes), path);

/** Path of a bare repository with a generated history, made at the first call on this machine. */
export const generatedRepository = (sizes: HistorySizes): Promise<string> =>
  cached('history', sizes, () => historyStream(sizes));

/** Path of a bare repository with `count` branches and tags over a short history, made at the first call. */
export const repositoryWithManyRefs = (count: number): Promise<string> =>
  cached('refs', { count }, () => manyRefsStream(count));

/** Path of a bare repository with one branch of `count` small commits after its first, made at the first call. */
export const repositoryOfSmallCommits = (count: number): Promise<string> =>
  cached('line', { count }, () => smallCommitsStream(count));

/** The same, with a file of `noise` bytes that do not compress, and everything else packed as tightly as git does. */
export const packedRepositoryOfSmallCommits = (count: number, noise: number): Promise<string> =>
  cached('packed', { count, noise }, () => smallCommitsStream(count, noise), 'anew');
