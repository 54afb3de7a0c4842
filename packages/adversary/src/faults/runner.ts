import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Cases to run against the service with one fault. */
export interface Task {
  /** The id of the fault. Any other text: none. */
  readonly id: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly caseIds: readonly string[];
  /** The number of failed cases after which the rest is skipped. */
  readonly enough: number;
}

export interface Outcome {
  readonly id: string;
  readonly failed: readonly string[];
  /** Cases that ended in an error. */
  readonly broken: readonly string[];
  readonly passed: readonly string[];
  /** Why the process ended, or the service did not start. */
  readonly lost?: string;
}

/** Services that one process loads before it is replaced: modules are never unloaded, 15 MB for each service. */
const tasksPerProcess = 40;

const here = import.meta.dirname;

export interface RunOptions {
  /** Processes at once. Default: 2. */
  readonly jobs?: number;
  /** Milliseconds of one task. Default: 60,000. */
  readonly limit?: number;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Runs tasks, each against a new service. Returns their outcomes in the same order. */
export async function runTasks(
  tasks: readonly Task[],
  { jobs = 2, limit = 60_000, onOutcome }: RunOptions = {},
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...tasks.entries()];
  const work = async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'packhouse-faults-'));
    let child: ChildProcess | undefined;
    let done = 0;
    const stop = async (): Promise<void> => {
      const old = child;
      child = undefined;
      if (old === undefined || old.exitCode !== null || old.signalCode !== null) return;
      const ended = new Promise((resolve) => old.once('exit', resolve));
      old.kill('SIGKILL');
      await ended;
    };
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [number, task] = next;
        if (done++ % tasksPerProcess === 0) await stop();
        child ??= fork(join(here, 'worker.ts'), {
          execArgv: ['--disable-warning=ExperimentalWarning', '--import', join(here, 'loader.ts')],
          env: { ...process.env, TMPDIR: folder },
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        const outcome = await outcomeOf(child, task, limit);
        if (outcome.lost !== undefined) await stop();
        outcomes[number] = outcome;
        onOutcome?.(outcome);
      }
    } finally {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  return outcomes;
}

async function outcomeOf(child: ChildProcess, task: Task, limit: number): Promise<Outcome> {
  return await new Promise((resolve) => {
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(outcome);
    };
    const lose = (lost: string): void => end({ id: task.id, failed: [], broken: [], passed: [], lost });
    const timer = setTimeout(() => lose(`took more than ${limit} ms`), limit);
    child.once('exit', (code, signal) => lose(`the process ended (${String(signal ?? code)})`));
    child.once('message', (outcome) => end(outcome as Outcome));
    child.send(task, (error) => void (error !== null && lose(`the process cannot be reached (${error.message})`)));
  });
}
