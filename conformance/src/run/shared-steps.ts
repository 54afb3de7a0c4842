import type { Context } from '../core/context.ts';
import type { Target } from '../core/target.ts';
import { startRecorder } from '../evidence/recorder.ts';
import { CaseClock } from './case-clock.ts';
import { createContext, type ContextOptions } from './make-context.ts';

export interface SharedStepsOptions extends Pick<
  ContextOptions,
  'seed' | 'runs' | 'prefix' | 'nextNumber' | 'turn' | 'gitRepos' | 'environment' | 'secrets'
> {
  /** Milliseconds to make one thing. */
  readonly timeLimit: number;
  readonly stop: AbortSignal;
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

/**
 * Makes what cases of a run share. Each thing has its own context and time limit, since the case that asks first may end
 * early.
 */
export class SharedSteps {
  readonly #options: SharedStepsOptions;
  readonly #made = new Map<Target, Map<string, Promise<unknown>>>();
  readonly #cleanUps: (() => Promise<readonly string[]>)[] = [];

  constructor(options: SharedStepsOptions) {
    this.#options = options;
  }

  /** Returns the shared things of a deployment. With `keep` they are not removed, since the deployment is thrown away. */
  on(target: Target, keep: boolean): Context['shared'] {
    const made = this.#made.get(target) ?? new Map<string, Promise<unknown>>();
    this.#made.set(target, made);
    return async <T>(name: string, make: (t: Context) => Promise<T>): Promise<T> => {
      const known = made.get(name) ?? this.#make(target, keep, name, make);
      made.set(name, known);
      return (await known) as T;
    };
  }

  /** Removes all of it. Returns descriptions of what could not be removed. */
  async close(): Promise<readonly string[]> {
    return (await Promise.all(this.#cleanUps.map(async (cleanUp) => await cleanUp()))).flat();
  }

  async #make<T>(target: Target, keep: boolean, name: string, make: (t: Context) => Promise<T>): Promise<T> {
    const { timeLimit, stop, onWait, ...options } = this.#options;
    const limit = new AbortController();
    const clock = new CaseClock(timeLimit, () => {
      limit.abort(new Error(`${name}, which cases share, was not made within ${timeLimit / 1000} s`));
    });
    const signal = AbortSignal.any([stop, limit.signal]);
    const { context, cleanUp } = createContext({
      ...options,
      target,
      testCase: { id: name },
      folder: () => Promise.reject(new Error(`${name} has no folder`)),
      recorder: startRecorder(),
      signal,
      cannotSend: (reason) => limit.abort(reason),
      shared: this.on(target, keep),
      pause: async (milliseconds) => {
        onWait?.(milliseconds);
        await clock.pause(milliseconds, signal);
      },
    });
    if (!keep) this.#cleanUps.push(cleanUp);
    try {
      return await make(context);
    } finally {
      clock.stop();
    }
  }
}
