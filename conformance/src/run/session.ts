import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case } from '../core/case.ts';
import { randomPrefix } from '../core/prefix.ts';
import type { Target } from '../core/target.ts';
import type { CaseResult } from '../report/report.ts';
import { Deployments } from '../service/deployments.ts';
import { GitRepos, hasNames } from '../service/git-server.ts';
import { runGit, type Environment } from '../service/git.ts';
import { lacking } from './lacking.ts';
import { NamespacePool, type TakenNamespace } from '../service/namespace-pool.ts';
import { answers } from '../service/reach.ts';
import { SharedSteps } from './shared-steps.ts';
import { resultOf, runCase, stopped, type Ending } from './run-case.ts';
import { Secrets } from '../core/secrets.ts';
import { evidenceRoom } from '../evidence/to-evidence.ts';

export interface SessionOptions {
  readonly target: Target;
  /** The cases to run. A deployment with settings is closed after the last case that shares it. */
  readonly cases: readonly Case[];
  /** Default: a random seed. */
  readonly seed?: number;
  /** The prefix of all names. Default: a random one. */
  readonly prefix?: string;
  /** How many times as many random inputs as usual properties try. Default: 1. */
  readonly runs?: number;
  /** The number of cases that run at once. Default: 4; 1 if they share one repository. */
  readonly concurrency?: number;
  /** The most requests a second, over all cases. Default: no limit. Stock `git` does not count. */
  readonly rate?: number;
  /** Milliseconds for each case. Default: 120,000. */
  readonly timeLimit?: number;
  /** The environment from which `git` gets `PATH` and proxies. Default: empty, so the system finds `git`. */
  readonly environment?: Environment;
  /** When aborted, stops and cleans up running cases, and skips all others. */
  readonly signal?: AbortSignal;
  /** Called with the milliseconds when a case waits for the rate of the service. */
  readonly onWait?: (milliseconds: number) => void;
}

/** A session of cases against one target. */
export interface Session {
  readonly seed: number;
  /** The prefix of all names. */
  readonly prefix: string;
  /** Runs a case as soon as there is a free slot. Never rejects. */
  run(testCase: Case): Promise<CaseResult>;
  /**
   * Removes what is left on this machine, and closes deployments. Returns descriptions of what could not be removed or
   * closed.
   */
  close(): Promise<readonly string[]>;
}

/** Opens a session against a target, without any request yet. */
export function openSession(options: SessionOptions): Session {
  const {
    target,
    seed = randomSeed(),
    timeLimit = 120_000,
    runs = 1,
    environment = {},
    prefix = randomPrefix(),
  } = options;
  const gitRepos = target.git === undefined ? undefined : new GitRepos(target.git);
  const inTurn = target.git !== undefined && !hasNames(target.git) && target.readOnly !== true;
  const concurrency = inTurn ? 1 : (options.concurrency ?? 4);
  const turn = turns(options.rate);
  const stop = options.signal ?? new AbortController().signal;
  const secrets = new Secrets();
  const room = evidenceRoom();
  const deployments = new Deployments(target, options.cases, secrets);
  const namespaces = new NamespacePool();
  const leftBehind: string[] = [];
  const waiting: (() => void)[] = [];
  /** Targets that stopped answering. */
  const dead = new Set<Target>();
  let running = 0;
  let number = 0;
  let folders: Promise<string> | undefined;
  let git: Promise<boolean> | undefined;

  const common = {
    prefix,
    nextNumber: () => number++,
    environment,
    secrets,
    gitRepos,
    turn,
    timeLimit: timeLimit * runs,
    runs,
    stop,
    onWait: options.onWait,
  };
  const shared = new SharedSteps({ ...common, seed });

  const one = async (testCase: Case): Promise<CaseResult> => {
    const ownSeed = caseSeed(seed, testCase.id);
    const end = (ending: Ending): CaseResult => resultOf(testCase, ownSeed, ending, 0, target);
    if (stop.aborted) return end({ status: 'skipped', reason: stopped });
    git ??= runGit(['--version'], {}, environment).then(
      ({ status }) => status === 0,
      () => false,
    );
    const reason = lacking(testCase, { target, git: testCase.needs?.includes('git') === true && (await git) });
    if (reason !== undefined) return end({ status: 'skipped', reason });
    let deployment: Target;
    try {
      deployment = await deployments.of(testCase);
    } catch (error) {
      const message = `no deployment with ${JSON.stringify(testCase.settings)}: ${error instanceof Error ? error.message : 'unknown reason'}`;
      return end({ status: 'error', failure: { message: secrets.scrub(message), where: null } });
    }
    if (dead.has(deployment)) return end({ status: 'error', failure: noAnswer });
    folders ??= mkdtemp(join(tmpdir(), 'packhouse-conformance-'));
    const folder = join(await folders, String(number++));
    let bound: TakenNamespace | undefined;
    try {
      bound = testCase.needs?.includes('binding') === true ? await namespaces.take(deployment) : undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown reason';
      return end({ status: 'error', failure: { message: secrets.scrub(message), where: null } });
    }
    const keep = deployment !== target && deployment.close !== undefined;
    const ran = await runCase(testCase, {
      ...common,
      target: deployment,
      seed: ownSeed,
      folder: async () => folder,
      room,
      keep,
      shared: shared.on(deployment, keep),
      ...(bound === undefined ? {} : { bound: bound.name }),
    });
    bound?.release();
    leftBehind.push(...ran.leftBehind);
    // A folder that is still in use now is removed with all others at the end.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    const { status, failure } = ran.result;
    if ((status === 'fail' || status === 'error') && !(await answers(deployment))) {
      dead.add(deployment);
      const message = `${noAnswer.message}, after: ${failure?.message ?? ''}`;
      return { ...ran.result, status: 'error', failure: { ...failure, message, where: failure?.where ?? null } };
    }
    return ran.result;
  };

  return {
    seed,
    prefix,
    async run(testCase) {
      if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await one(testCase);
      } finally {
        await deployments.done(testCase);
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    async close() {
      leftBehind.push(...(await shared.close()));
      await deployments.close();
      if (folders !== undefined) await rm(await folders, { recursive: true, force: true, maxRetries: 3 });
      return [...leftBehind, ...deployments.problems];
    },
  };
}

/** Returns a function that gives each request its turn: the milliseconds until then. */
function turns(rate: number | undefined): () => number {
  let next = 0;
  return () => {
    if (rate === undefined) return 0;
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + 1000 / rate;
    return turn - now;
  };
}

const noAnswer = { message: 'the target no longer answers', where: null };

/** Returns a random seed for a run: 0 to 2^31 - 1. */
function randomSeed(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) >>> 1;
}

/**
 * Returns the seed of one case, which does not depend on other cases: FNV-1a over the seed of the run and the id. 0 to
 * 2^31 - 1.
 */
function caseSeed(runSeed: number, id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${runSeed} ${id}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
