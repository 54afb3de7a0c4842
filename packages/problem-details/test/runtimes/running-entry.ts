/** The supported runtimes. */
export type RuntimeName = 'node' | 'deno' | 'bun' | 'workerd';

export const runtimeNames: readonly RuntimeName[] = ['node', 'deno', 'bun', 'workerd'];

/** A fetch handler that is served by a separate runtime. */
export interface RunningEntry {
  /** Origin of its http server on 127.0.0.1, without a final slash. */
  readonly url: string;
  /** Lines printed with `console.log` so far. */
  lines(): readonly string[];
  /** Lines on standard error so far. */
  errors(): readonly string[];
  close(): Promise<void>;
}

/** Exports of an entry module: `handle`, such as `app.fetch` of a Hono app. */
export interface EntryModule {
  readonly handle: (request: Request, ...rest: never[]) => Response | Promise<Response>;
}
