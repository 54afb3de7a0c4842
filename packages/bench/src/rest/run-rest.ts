import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeConnections } from '../client/remote.ts';
import { benchHistory } from '../generate/history.ts';
import { generatedRepository, repositoryOfSmallCommits, repositoryWithManyCommits } from '../generate/repository.ts';
import { pushEverything } from '../measures/bench.ts';
import { measureGitStart } from '../measures/git-start.ts';
import { openSource } from '../measures/source.ts';
import type { Row } from '../report/row.ts';
import { startPackhouse } from '../servers/packhouse.ts';
import { measureCommit } from './measure-commits.ts';
import { measureContent } from './measure-content.ts';
import type { RestOptions } from './options.ts';

/** Numbers of one run about work without Git. */
export interface RestResult {
  readonly rounds: number;
  /** The cost of starting one `git` process, in milliseconds. */
  readonly gitStartMs: number;
  readonly rows: readonly Row[];
}

/** Objects of the first small commit, and of each further one. */
const firstObjects = 69;
const objectsOfCommit = 4;

/** Objects up to which commits have files: more of them would take gigabytes. */
const withFilesMax = 200_000;

/** Runs all measures of work without Git. `progress` gets a line for each step. */
export const runRest = async (
  { sizes, repo, term, rounds }: RestOptions,
  progress: (line: string) => void,
): Promise<RestResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-rest-'));
  const server = await startPackhouse('node');
  try {
    const rows: Row[] = [];
    for (const size of sizes) {
      progress(`committing to a repository of ${size} objects`);
      const hasFiles = size <= withFilesMax;
      const origin = await (hasFiles
        ? repositoryOfSmallCommits(Math.round((size - firstObjects) / objectsOfCommit))
        : repositoryWithManyCommits(size - 1));
      const source = await openSource(origin, folder, `size-${size}`);
      const remote = await pushEverything(server, `size-${size}`, source);
      await server.settle(`size-${size}`);
      rows.push(await measureCommit(server, `size-${size}`, remote, source.objects, rounds, folder));
    }
    progress('comparing, merging, archiving and searching');
    const source = await openSource(repo ?? (await generatedRepository(benchHistory)), folder, 'content');
    await pushEverything(server, 'content', source);
    await server.settle('content');
    rows.push(...(await measureContent(server, 'content', source, term, rounds)));
    return { rounds, gitStartMs: await measureGitStart(), rows };
  } finally {
    closeConnections();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
