/** Where the package has to run. */
export type RuntimeName = 'node' | 'deno' | 'bun' | 'workerd';

export const runtimeNames: readonly RuntimeName[] = ['node', 'deno', 'bun', 'workerd'];

/** A fetch handler that serves in a runtime of its own. */
export interface RunningEntry {
  /** Origin of its http server on 127.0.0.1, without a final slash. */
  readonly url: string;
  /** What it has printed with `console.log` so far. */
  lines(): readonly string[];
  /** What it or the runtime has printed to standard error so far. */
  errors(): readonly string[];
  close(): Promise<void>;
}

/** What an entry module exports: `handle`, which a Hono app has as `app.fetch`. */
export interface EntryModule {
  readonly handle: (request: Request, ...rest: never[]) => Response | Promise<Response>;
}
