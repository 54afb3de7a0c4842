/** Bytes of request bodies between two checks of the memory of the process. */
const step = 32 * 1_048_576;

export interface CollectOptions {
  /** Runs a collection that frees the buffers of dead chunks. Default: the runtime's, if it exposes one. */
  readonly collect?: (() => void) | undefined;
  /** Returns the resident bytes of the process. */
  readonly residentBytes?: () => number;
}

/**
 * Returns a function that takes the byte count of each chunk of a request body. It collects garbage every 32 MiB while
 * the process uses more than half of `memoryMax` (LIM-080). Runtimes postpone a collection while their own heap is
 * small, even if dead chunks hold much memory.
 */
export function collectGarbage(
  memoryMax: number,
  { collect = runtimeCollection('minor'), residentBytes = () => process.memoryUsage.rss() }: CollectOptions = {},
): (bytes: number) => void {
  let received = 0;
  return (bytes) => {
    received += bytes;
    if (received < step) return;
    received = 0;
    if (residentBytes() > memoryMax / 2) collect?.();
  };
}

declare const Bun: { readonly gc: (synchronously: boolean) => void } | undefined;

/**
 * Returns the garbage collection of the runtime, or undefined if the runtime does not expose it: V8 needs its flag
 * `--expose-gc`. A minor collection takes a few milliseconds.
 */
export function runtimeCollection(type: 'minor' | 'major'): (() => void) | undefined {
  if (typeof Bun !== 'undefined') return () => Bun?.gc(true);
  return typeof globalThis.gc === 'function' ? () => void globalThis.gc?.({ type }) : undefined;
}
