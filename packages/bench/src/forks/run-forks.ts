import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noObject } from '../client/push.ts';
import { closeConnections } from '../client/remote.ts';
import { packedRepositoryOfSmallCommits } from '../generate/repository.ts';
import { runGit } from '../internal/run-git.ts';
import { pushEverything } from '../measures/bench.ts';
import { interleave, time } from '../measures/rounds.ts';
import { openSource, type Source } from '../measures/source.ts';
import { startPackhouse } from '../servers/packhouse.ts';
import type { Server } from '../servers/server.ts';
import type { ForksOptions } from './options.ts';

/** Numbers of one run about forks. */
export interface ForksResult {
  readonly rounds: number;
  /** Object counts of the repositories, ascending. */
  readonly objects: readonly number[];
  readonly rows: readonly ForkRow[];
}

/** One way to make a copy, with its samples for each repository. */
export interface ForkRow {
  readonly name: string;
  /** Milliseconds, by repository. */
  readonly samples: readonly (readonly number[])[];
  /** Bytes that the copies of all repositories added to the stored packs; null where they cannot be measured. */
  readonly addedBytes: number | null;
}

/** Makes a copy of the repository with that number, and removes it after the measurement. */
interface Contender {
  readonly name: string;
  copy(repository: number): Promise<unknown>;
  remove(): Promise<unknown>;
  readonly storedBytes?: (() => Promise<number>) | undefined;
}

/** Enough bytes that every server stores the pack in files, not in rows. */
const noise = 2_000_000;
/** Objects of the first commit, and of each further one. */
const firstObjects = 69;
const objectsOfCommit = 4;

/** Prepares the repositories and runs all measures of forks. `progress` gets a line for each step. */
export const runForks = async (
  { sizes, rounds, runtimes }: ForksOptions,
  progress: (line: string) => void,
): Promise<ForksResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-forks-'));
  const servers: Server[] = [];
  try {
    progress('preparing repositories');
    const sources: Source[] = [];
    for (const size of sizes) {
      const commits = Math.round((size - firstObjects) / objectsOfCommit);
      sources.push(
        await withOlderBranch(
          await openSource(await packedRepositoryOfSmallCommits(commits, noise), folder, `size-${size}`),
        ),
      );
    }
    const contenders: Contender[] = [];
    for (const runtime of runtimes) {
      const server = await startPackhouse(runtime);
      servers.push(server);
      progress(`pushing everything to ${server.name}`);
      for (const [i, source] of sources.entries()) await pushEverything(server, `size-${i}`, source);
      contenders.push(forkOf(server, sources, 'all'), forkOf(server, sources, 'default branch'));
    }
    for (const way of ['shared', 'local'] as const) contenders.push(await cloneOf(folder, sources, way));
    const rows = contenders.map(({ name }) => ({ name, samples: [] as number[][], added: 0 }));
    for (const [i, { objects }] of sources.entries()) {
      progress(`measuring copies of ${objects} objects`);
      // One more than counted: the first warms up code and page cache.
      const samples = await interleave(contenders, rounds + 1, async (contender) => {
        const before = (await contender.storedBytes?.()) ?? 0;
        const elapsed = await time(() => contender.copy(i));
        const row = rows.find(({ name }) => name === contender.name);
        if (row !== undefined) row.added += ((await contender.storedBytes?.()) ?? 0) - before;
        await contender.remove();
        return elapsed;
      });
      for (const row of rows) row.samples.push((samples[row.name] ?? []).slice(1));
    }
    return {
      rounds,
      objects: sources.map(({ objects }) => objects),
      rows: rows.map(({ name, samples, added }, i) => {
        const counts = contenders[i]?.storedBytes !== undefined;
        return { name, samples, addedBytes: counts ? added : null };
      }),
    };
  } finally {
    closeConnections();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Returns the source with one more branch, so that a fork has to walk the history to know what the default branch
 * reaches.
 */
const withOlderBranch = async (source: Source): Promise<Source> => {
  const to = await runGit(['rev-parse', 'main~10'], { cwd: source.path });
  return { ...source, changes: [...source.changes, { ref: 'refs/heads/older', from: noObject, to }] };
};

const forkOf = (server: Server, sources: readonly Source[], refs: 'all' | 'default branch'): Contender => ({
  name: `${server.name}, ${refs === 'all' ? 'every ref' : refs}`,
  async copy(repository) {
    const objects = await server.fork?.(`size-${repository}`, 'fork', refs);
    const expected = sources[repository]?.objects;
    if (objects !== expected) throw new Error(`A fork of ${expected} objects on ${server.name} holds ${objects}`);
  },
  remove: () => server.removeRepository('fork'),
  storedBytes: server.storedBytes,
});

const cloneOf = async (folder: string, sources: readonly Source[], way: 'shared' | 'local'): Promise<Contender> => {
  const whole: string[] = [];
  for (const [i, { path }] of sources.entries()) {
    // The source borrows its objects, and a clone of it would borrow them, too.
    const copy = join(folder, `whole-${way}-${i}.git`);
    await runGit(['clone', '--quiet', '--bare', '--no-local', path, copy]);
    whole.push(copy);
  }
  const target = join(folder, `clone-${way}.git`);
  return {
    name: `git clone --bare --${way}`,
    copy: (repository) => runGit(['clone', '--quiet', '--bare', `--${way}`, whole[repository] ?? '', target]),
    remove: () => rm(target, { recursive: true }),
  };
};
