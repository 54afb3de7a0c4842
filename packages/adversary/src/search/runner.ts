import { randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Values } from './inputs/area.ts';
import type { Outcome } from './evaluate.ts';

/** An input that ended its process. */
export interface Lost {
  readonly area: string;
  readonly values: Values;
  readonly why: string;
}

/** Processor seconds for one input, and seconds until an idle process is given up. */
const cpuMax = 90;
const idleMax = 900;
const secondsBetweenLooks = 5;
/** Mebibytes of the JavaScript heap. */
const heapMax = 2_048;

/** Runs inputs of one area in a process, which is restarted when an input ends it. */
export class Runner {
  readonly #area: string;
  #child: ChildProcess | undefined;
  /** The folder for the data of the processes, so that nothing is left of one that was killed. */
  readonly #folder = join(tmpdir(), `packhouse-search-${randomUUID()}`);

  constructor(area: string) {
    this.#area = area;
  }

  async run(values: Values): Promise<Outcome | Lost> {
    const child = (this.#child ??= this.#start());
    const answer = new Promise<Outcome | Lost>((resolve) => {
      const lose = (why: string): void => {
        clearInterval(timer);
        this.stop();
        resolve({ area: this.#area, values, why });
      };
      const began = performance.now();
      const cpuBefore = cpuSeconds(child.pid);
      const timer = setInterval(() => {
        const seconds = (performance.now() - began) / 1000;
        if (seconds > idleMax) lose(`took more than ${idleMax} s`);
        // On a busy machine, elapsed seconds say little.
        else if (seconds > cpuMax && cpuSeconds(child.pid) - cpuBefore > cpuMax) {
          lose(`took more than ${cpuMax} s of the processor`);
        }
      }, 1000 * secondsBetweenLooks);
      const ended = (code: number | null, signal: string | null): void => {
        clearInterval(timer);
        lose(`ended the process (${String(signal ?? code)})`);
      };
      child.once('exit', ended);
      child.once('message', (outcome) => {
        clearInterval(timer);
        child.off('exit', ended);
        resolve(outcome as Outcome);
      });
    });
    child.send(values);
    return await answer;
  }

  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    // The process may write until it has exited.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #start(): ChildProcess {
    mkdirSync(this.#folder);
    return fork(join(import.meta.dirname, 'worker.ts'), [this.#area], {
      env: { ...process.env, TMPDIR: this.#folder },
      execArgv: [`--max-old-space-size=${heapMax}`],
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
  }
}

/** Returns the processor seconds of a process; elapsed seconds where the system does not report them. */
function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    // proc(5): utime and stime, in ticks of 10 ms.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return performance.now() / 1000;
  }
}
