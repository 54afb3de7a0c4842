/** What of Node the Worker uses by name (`nodejs_compat`); the types of Node themselves would contradict those of Workers. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<Result>(store: T, work: () => Result): Result;
    getStore(): T | undefined;
  }
}
