import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { noObject, pushPack, type RefChange } from '../client/push.ts';
import { closeConnections, type Remote } from '../client/remote.ts';
import { repositoryWithManyCommits, repositoryWithManyFiles, repositoryWithManyRefs } from '../generate/repository.ts';
import { runGit } from '../internal/run-git.ts';
import { time } from '../measures/rounds.ts';
import { openSource } from '../measures/source.ts';
import { headerSettings, pushWithGit } from '../measures/stock-client.ts';
import { startPackhouse } from '../servers/packhouse.ts';
import type { Server } from '../servers/server.ts';
import type { LargeOptions } from './options.ts';

/** One step of a run with large repositories. Times in milliseconds. */
export interface LargeRow {
  readonly step: string;
  readonly milliseconds: number;
  /** Processor time of the server. */
  readonly processor: number;
  /** Peak memory of the server until the end of the step, in bytes; null where the system does not report it. */
  readonly memory: number | null;
  /** The longest time that a small request beside it took. */
  readonly wait: number;
}

/** Most refs of one push (`push_commands_max`). */
const refsOfPush = 10_000;

/** Runs all steps on a new server on Node. Throws if any is refused, or brings something else than was pushed. */
export const runLarge = async (
  options: LargeOptions,
  progress: (line: string) => void,
): Promise<readonly LargeRow[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-large-'));
  const server = await startPackhouse('node', { memory_max: options.memory * 1_048_576 });
  try {
    const steps = new Steps(server, progress);
    const inputs = [
      ['objects', () => repositoryWithManyFiles(options.objects)],
      ['commits', () => repositoryWithManyCommits(options.commits)],
      ['refs', () => repositoryWithManyRefs(options.refs)],
      ...(options.repo === undefined ? [] : ([['repo', async () => options.repo as string]] as const)),
    ] as const;
    for (const [name, make] of inputs) {
      progress(`preparing ${name}`);
      await useRepository(steps, server, name, await make(), folder);
    }
    return steps.rows;
  } finally {
    closeConnections();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** Measures steps, each beside small requests that come one after the other. */
class Steps {
  readonly rows: LargeRow[] = [];
  readonly #server: Server;
  readonly #progress: (line: string) => void;

  constructor(server: Server, progress: (line: string) => void) {
    this.#server = server;
    this.#progress = progress;
  }

  async run(step: string, work: () => Promise<unknown>): Promise<void> {
    this.#progress(step);
    const server = this.#server;
    const done = new AbortController();
    let wait = 0;
    const probe = async (): Promise<void> => {
      while (!done.signal.aborted) {
        wait = Math.max(wait, await time(() => server.rest?.('GET', '/repos/namespaces') ?? Promise.resolve()));
        await pause(10);
      }
    };
    const before = server.processorTime?.() ?? 0;
    const probing = probe();
    const milliseconds = await time(work).finally(() => {
      done.abort();
      return probing;
    });
    const processor = (server.processorTime?.() ?? 0) - before;
    this.rows.push({ step, milliseconds, processor, memory: await server.peakMemory(), wait });
  }
}

async function useRepository(steps: Steps, server: Server, name: string, path: string, folder: string): Promise<void> {
  const source = await openSource(path, folder, name);
  const remote = await server.createRepository(name);
  const clone = join(folder, `${name}-clone`);
  for (let from = 0; from < source.changes.length; from += refsOfPush) {
    const changes = source.changes.slice(from, from + refsOfPush);
    await steps.run(`${name}: push ${from === 0 ? 'everything' : `refs from ${from}`}`, () =>
      pushPack(remote, changes, source.packFile),
    );
  }
  const main = await runGit(['symbolic-ref', 'HEAD'], { cwd: source.path });
  const options = ['clone', '--quiet', '--bare'];
  await steps.run(`${name}: clone`, () => git(remote, [...options, remote.url, clone]));
  await same(source.path, clone, source.changes);
  await rm(clone, { recursive: true });
  for (const part of ['--depth=1', '--filter=blob:none']) {
    await steps.run(`${name}: clone ${part}`, () =>
      git(remote, [
        ...options,
        `--branch=${main.slice('refs/heads/'.length)}`,
        '--single-branch',
        part,
        remote.url,
        clone,
      ]),
    );
    await rm(clone, { recursive: true });
  }
  const parent = await runGit(['rev-parse', main], { cwd: source.path });
  const commit = await runGit(['commit-tree', '-p', parent, '-m', 'One more', `${parent}^{tree}`], {
    cwd: source.path,
  });
  await steps.run(`${name}: push one commit`, () => pushWithGit(remote, source.path, [`${commit}:${main}`]));
  await steps.run(`${name}: list one ref`, () => git(remote, ['ls-remote', remote.url, main]));
  await steps.run(`${name}: log`, async () =>
    server.rest?.('GET', `/repos/namespaces/default/repos/${name}/log?limit=10&ref=${encodeURIComponent(main)}`),
  );
}

const git = (remote: Remote, args: readonly string[]): Promise<string> => runGit([...headerSettings(remote), ...args]);

/** Throws if a clone is broken, or has other refs than were pushed. */
async function same(source: string, clone: string, changes: readonly RefChange[]): Promise<void> {
  await runGit(['fsck', '--connectivity-only'], { cwd: clone });
  const list = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'];
  const [pushed, cloned] = [await runGit(list, { cwd: source }), await runGit(list, { cwd: clone })];
  const isNew = changes.every(({ from }) => from === noObject);
  if (!isNew || pushed !== cloned) throw new Error(`The clone of ${source} has other refs`);
}
