/** The parts of Node's modules that the Worker uses (`nodejs_compat`). `@types/node` contradicts the types of Workers. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<Result>(store: T, work: () => Result): Result;
    getStore(): T | undefined;
  }
}

declare module 'node:dns/promises' {
  export function resolve4(host: string): Promise<string[]>;
  export function resolve6(host: string): Promise<string[]>;
}
