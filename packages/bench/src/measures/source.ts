import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchRequest } from '../client/fetch.ts';
import { noObject, type RefChange } from '../client/push.ts';
import { runGit, runGitForBytes } from '../internal/run-git.ts';

/** A repository to push and fetch. Everything that clients need is prepared, so that no measure waits for it. */
export interface Source {
  /** A bare repository that borrows the objects of the given one. */
  readonly path: string;
  /** One command per ref, for a push of everything to an empty repository. */
  readonly changes: readonly RefChange[];
  /** A pack of everything that the refs reach, as a push sends it. */
  readonly packFile: string;
  readonly objects: number;
  readonly commits: number;
  readonly clone: FetchRequest;
}

/** Borrows branches and tags of the repository at `origin` into `folder`. Throws if it has none. */
export const openSource = async (origin: string, folder: string, name: string): Promise<Source> => {
  const path = join(folder, `${name}.git`);
  const packFile = join(folder, `${name}.pack`);
  await runGit(['clone', '--quiet', '--bare', '--shared', origin, path]);
  const listing = await runGit(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'], {
    cwd: path,
  });
  if (listing === '') throw new Error(`${origin} has no branches and no tags`);
  const changes = listing.split('\n').map((line) => {
    const [to = '', ref = ''] = line.split(' ');
    return { ref, from: noObject, to };
  });
  const wants = [...new Set(changes.map((change) => change.to))];
  const revisions = wants.map((id) => `${id}\n`).join('');
  await writeFile(
    packFile,
    await runGitForBytes(['pack-objects', '--revs', '--stdout', '--delta-base-offset', '-q'], {
      cwd: path,
      input: revisions,
    }),
  );
  const objects = await runGit(['rev-list', '--objects', '--no-object-names', '--stdin', '--use-bitmap-index'], {
    cwd: path,
    input: revisions,
  });
  const commits = await runGit(['rev-list', '--count', '--stdin'], { cwd: path, input: revisions });
  return {
    path,
    changes,
    packFile,
    objects: objects.split('\n').length,
    commits: Number(commits),
    clone: { wants, haves: [] },
  };
};

const commitsWithParents = async (source: Source): Promise<string[][]> => {
  const input = source.clone.wants.map((id) => `${id}\n`).join('');
  const listing = await runGit(['rev-list', '--date-order', '--parents', '--stdin'], { cwd: source.path, input });
  return listing.split('\n').map((line) => line.split(' '));
};

/**
 * Returns the fetch of a client that lacks the newest commits (by default 1 %, and at least one) and has all older ones.
 */
export const fetchOfNewest = async (
  source: Source,
  count: number = Math.max(1, Math.round(source.commits / 100)),
): Promise<FetchRequest> => {
  const commits = await commitsWithParents(source);
  // Parents come after their children here, so the older part is closed: a client can have exactly that part.
  const newer = new Set(commits.slice(0, count).map(([id = '']) => id));
  const parents = commits.slice(0, count).flatMap(([, ...ids]) => ids);
  const peeled = await runGit(['for-each-ref', '--format=%(objectname) %(*objectname)', 'refs/heads', 'refs/tags'], {
    cwd: source.path,
  });
  const wants: string[] = [];
  const haves = parents.filter((id) => !newer.has(id));
  for (const line of peeled.split('\n')) {
    const [id = '', target] = line.split(' ');
    const commit = target || id;
    if (newer.has(commit)) wants.push(id);
    else haves.push(commit);
  }
  return { wants: [...new Set(wants)], haves: [...new Set(haves)] };
};

/** Returns the fetch of a client that lacks one commit: the newest that has a parent. */
export const fetchOfOne = async (source: Source): Promise<FetchRequest> => {
  const commits = await commitsWithParents(source);
  const tips = new Set(source.clone.wants);
  const [id = '', ...parents] = commits.find(([tip = '', parent]) => tips.has(tip) && parent !== undefined) ?? [];
  if (id === '') throw new Error('No branch has a commit with a parent');
  return { wants: [id], haves: parents };
};

/** Returns the newest commit of the default branch. */
export const tipOfHead = (source: Source): Promise<string> => runGit(['rev-parse', 'HEAD'], { cwd: source.path });
