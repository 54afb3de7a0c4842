import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeConnections } from './client/remote.ts';
import { benchHistory, type HistorySizes } from './generate/history.ts';
import { generatedRepository, repositoryWithManyRefs } from './generate/repository.ts';
import { enter, type Bench, type Contender } from './measures/bench.ts';
import { measureGitStart } from './measures/git-start.ts';
import {
  measureClone,
  measureFetchOfNewest,
  measureNewest,
  measureParts,
  measureRequests,
} from './measures/measure-fetches.ts';
import { measureEveryday } from './measures/measure-everyday.ts';
import { measureLsRemote } from './measures/measure-ls-remote.ts';
import { measureManyPushes } from './measures/measure-many-pushes.ts';
import { measureMemory } from './measures/measure-memory.ts';
import { measureFirstPush, measureSmallPush } from './measures/measure-pushes.ts';
import { measureShares } from './measures/measure-shares.ts';
import { measureUsage } from './measures/measure-usage.ts';
import { openSource } from './measures/source.ts';
import { measureNames, type BenchOptions, type MeasureName } from './options.ts';
import type { ManyPushesRow, Row, ShareRow, UsageRow } from './report/row.ts';
import { startPackhouse } from './servers/packhouse.ts';
import type { Server, StartServer } from './servers/server.ts';
import { startStockGit } from './servers/stock-git.ts';

/** Numbers of one run. */
export interface BenchResult {
  readonly repo: string;
  readonly objects: number;
  readonly commits: number;
  readonly refs: number;
  readonly rounds: number;
  /** The cost of starting one `git` process, in milliseconds. */
  readonly gitStartMs: number;
  /** The names of this project's servers, which are their runtimes. */
  readonly runtimes: readonly string[];
  /** The names of the other servers. */
  readonly others: readonly string[];
  readonly rows: readonly Row[];
  readonly usage: readonly UsageRow[];
  readonly shares: readonly ShareRow[];
  readonly manyPushes: readonly ManyPushesRow[];
}

const measures: Readonly<
  Record<Exclude<MeasureName, 'usage' | 'shares' | 'many-pushes'>, (bench: Bench) => Promise<Row[]>>
> = {
  clone: measureClone,
  fetch: measureFetchOfNewest,
  newest: measureNewest,
  parts: measureParts,
  requests: measureRequests,
  'ls-remote': measureLsRemote,
  'first-push': measureFirstPush,
  'small-push': measureSmallPush,
  everyday: measureEveryday,
  memory: measureMemory,
};

/** A commit of a generated history and what it changes are about so many objects. */
const objectsOfACommit = 7.4;

const historyOf = (objects: number | undefined): HistorySizes =>
  objects === undefined
    ? benchHistory
    : {
        ...benchHistory,
        commits: Math.ceil(objects / objectsOfACommit),
        files: Math.ceil(objects / 60),
        largeFiles: 0,
      };

const starters = ({ runtimes, git }: BenchOptions, watchMemory: boolean): StartServer[] => [
  ...runtimes.map((runtime) => () => startPackhouse(runtime)),
  ...(git ? [false, true].map((bitmaps) => () => startStockGit({ bitmaps, watchMemory })) : []),
];

/** Starts all servers, runs all measures, and stops the servers. `progress` gets a line for each step. */
export const runBench = async (options: BenchOptions, progress: (line: string) => void): Promise<BenchResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-run-'));
  const servers: Server[] = [];
  try {
    progress('preparing repositories');
    const repo = options.repo ?? (await generatedRepository(historyOf(options.objects)));
    const source = await openSource(repo, folder, 'source');
    const refsSource = await openSource(await repositoryWithManyRefs(10_000), folder, 'refs');
    const contenders: Contender[] = [];
    for (const start of starters(options, false)) {
      const server = await start();
      servers.push(server);
      progress(`pushing everything to ${server.name}`);
      contenders.push(await enter(server, source, refsSource));
    }
    const bench = { contenders, starters: starters(options, true), source, refsSource, rounds: options.rounds };
    const gitStartMs = await measureGitStart();
    const rows: Row[] = [];
    let usage: UsageRow[] = [];
    let shares: ShareRow[] = [];
    let manyPushes: ManyPushesRow[] = [];
    for (const name of measureNames) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      progress(`measuring ${name}`);
      if (name === 'usage') usage = await measureUsage(bench);
      else if (name === 'shares') shares = await measureShares(bench);
      else if (name === 'many-pushes') manyPushes = await measureManyPushes(bench, options.pushes, folder, progress);
      else rows.push(...(await measures[name](bench)));
    }
    return {
      repo: options.repo ?? 'generated',
      objects: source.objects,
      commits: source.commits,
      refs: source.changes.length,
      rounds: options.rounds,
      gitStartMs,
      runtimes: options.runtimes,
      others: contenders.slice(options.runtimes.length).map(({ name }) => name),
      rows,
      usage,
      shares,
      manyPushes,
    };
  } finally {
    closeConnections();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};
