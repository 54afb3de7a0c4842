/** Calls `work` every `period` milliseconds, without keeping the process alive. Returns a function that ends it. */
export function every(period: number, work: () => void): () => void {
  const timer: unknown = setInterval(work, period);
  keepNothingAlive(timer);
  return () => clearInterval(timer as number);
}

/** Lets the process exit while a timer waits, on runtimes that support it. */
export function keepNothingAlive(timer: unknown): void {
  // On Node and Bun a timer is an object, on Deno a number.
  if (typeof timer === 'object') (timer as { unref?: () => void } | null)?.unref?.();
  else (globalThis as { Deno?: { unrefTimer(timer: unknown): void } }).Deno?.unrefTimer(timer);
}
