import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fetchPack, type FetchRequest } from '../client/fetch.ts';
import { noObject, pushPack, type RefChange } from '../client/push.ts';
import type { Remote } from '../client/remote.ts';
import { repositoryOfSmallCommits } from '../generate/repository.ts';
import { runGit, runGitForBytes } from '../internal/run-git.ts';
import type { ManyPushesRow } from '../report/row.ts';
import { median } from '../report/statistics.ts';
import { pushEverything, type Bench } from './bench.ts';
import { checkCompleteFetch } from './complete.ts';
import { interleave, time } from './rounds.ts';
import { fetchOfOne, openSource, type Source } from './source.ts';

/** Minimum milliseconds between two pushes: a server may refuse more than 200 requests a second (LIM-053). */
const pause = 7;
/** Milliseconds after which a server has finished its maintenance of an idle repository. */
const quiet = 90_000;

/** A push whose pack is in a file. */
interface Step {
  readonly change: RefChange;
  readonly packFile: string;
}

/** One server with both repositories. */
interface Pair {
  readonly name: string;
  readonly once: Remote;
  readonly many: Remote;
  /** {@link ManyPushesRow.push}. */
  readonly push: number;
  readonly packs: () => Promise<number>;
}

/**
 * Prepares the pushes that make a source commit by commit. Stock `git` packs each for a server that has the one before.
 */
const stepsOf = async (source: Source, folder: string): Promise<Step[]> => {
  await mkdir(folder);
  const commits = (await runGit(['rev-list', '--reverse', 'main'], { cwd: source.path })).split('\n');
  const steps: Step[] = [];
  for (const [number, to] of commits.entries()) {
    const from = commits[number - 1];
    const packFile = join(folder, `${number}.pack`);
    const pack = ['pack-objects', '--revs', '--thin', '--stdout', '--delta-base-offset', '-q'];
    const input = `${to}\n${from === undefined ? '' : `^${from}\n`}`;
    await writeFile(packFile, await runGitForBytes(pack, { cwd: source.path, input }));
    steps.push({ change: { ref: 'refs/heads/main', from: from ?? noObject, to }, packFile });
  }
  return steps;
};

/** Makes all the pushes. Returns the ratio of the time of the last tenth to that of the first. */
const pushOneByOne = async (remote: Remote, steps: readonly Step[]): Promise<number> => {
  const samples: number[] = [];
  for (const { change, packFile } of steps) {
    const taken = await time(() => pushPack(remote, [change], packFile));
    samples.push(taken);
    if (taken < pause) await wait(pause - taken);
  }
  const tenth = Math.ceil(samples.length / 10);
  return median(samples.slice(-tenth)) / median(samples.slice(0, tenth));
};

/**
 * Pushes a line of commits one by one to one repository, and at once to another, and compares the two. Runs on each
 * server that reports its packs.
 */
export const measureManyPushes = async (
  { contenders, rounds }: Bench,
  pushes: number,
  folder: string,
  progress: (line: string) => void,
): Promise<ManyPushesRow[]> => {
  const source = await openSource(await repositoryOfSmallCommits(pushes), folder, 'line');
  const packs = join(folder, 'line-packs');
  const steps = await stepsOf(source, packs);
  const newest = await fetchOfOne(source);
  const pairs: Pair[] = [];
  for (const { name, server } of contenders) {
    const { countPacks } = server;
    if (countPacks === undefined) continue;
    progress(`making ${pushes} pushes to ${name}`);
    const once = await pushEverything(server, 'line-once', source);
    const many = await server.createRepository('line-many');
    pairs.push({ name, once, many, push: await pushOneByOne(many, steps), packs: () => countPacks('line-many') });
  }
  await rm(packs, { recursive: true });

  /** Measures both repositories alternately. Returns the ratio of many pushes to one. */
  const ratioOf = async (once: Remote, many: Remote, wanted: FetchRequest, times: number): Promise<number> => {
    await checkCompleteFetch(many, source, wanted);
    const both = [
      { name: 'once', remote: once },
      { name: 'many', remote: many },
    ];
    const samples = await interleave(both, 2 * rounds + 1, ({ remote }) =>
      time(async () => {
        for (let left = times; left > 0; left--) await fetchPack(remote, wanted);
      }),
    );
    return Math.min(...(samples['many'] ?? [])) / Math.min(...(samples['once'] ?? []));
  };
  const rows: ManyPushesRow[] = [];
  const measure = async (when: ManyPushesRow['when']): Promise<void> => {
    for (const { name, once, many, push, packs: count } of pairs) {
      progress(`comparing with the same pushed at once on ${name}, ${when}`);
      rows.push({
        server: name,
        pushes,
        when,
        packs: await count(),
        bytes: (await fetchPack(many, source.clone)) / (await fetchPack(once, source.clone)),
        clone: await ratioOf(once, many, source.clone, 2),
        fetch: await ratioOf(once, many, newest, 20),
        push: when === 'at once' ? push : null,
      });
    }
  };
  await measure('at once');
  await wait(quiet);
  await measure('later');
  return rows;
};
