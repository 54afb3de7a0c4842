import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Values } from './area.ts';
import type { Outcome } from './evaluate.ts';

/** An input that its process did not survive. */
export interface Lost {
  readonly area: string;
  readonly values: Values;
  readonly why: string;
}

const longestWait = 90_000;
/** Mebibytes of JavaScript's own objects. */
const heapMax = 2_048;

/** Runs inputs of one area, each in a process that is started again when one ends it. */
export class Runner {
  readonly #area: string;
  #child: ChildProcess | undefined;

  constructor(area: string) {
    this.#area = area;
  }

  async run(values: Values): Promise<Outcome | Lost> {
    const child = (this.#child ??= this.#start());
    const answer = new Promise<Outcome | Lost>((resolve) => {
      const lose = (why: string): void => {
        this.stop();
        resolve({ area: this.#area, values, why });
      };
      const timer = setTimeout(() => lose(`took more than ${longestWait / 1000} s`), longestWait);
      const ended = (code: number | null, signal: string | null): void => {
        clearTimeout(timer);
        lose(`ended the process (${String(signal ?? code)})`);
      };
      child.once('exit', ended);
      child.once('message', (outcome) => {
        clearTimeout(timer);
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
  }

  #start(): ChildProcess {
    return fork(join(import.meta.dirname, 'worker.ts'), [this.#area], {
      execArgv: [`--max-old-space-size=${heapMax}`],
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
  }
}
