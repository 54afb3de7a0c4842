/** Bytes of request bodies between two looks at the memory of the process. */
const step = 32 * 1_048_576;

export interface CollectOptions {
  /** Runs a collection that frees the buffers of dead chunks. Default: that of the runtime, if programs may ask for one. */
  readonly collect?: (() => void) | undefined;
  /** Bytes that the process has in memory. */
  readonly residentBytes?: () => number;
}

/**
 * Returns a function that takes the bytes of each chunk of a request body. It collects garbage when many have come and
 * the process has more than half of `memoryMax` (LIM-080): runtimes put a collection off while their own heap is small,
 * however much memory dead chunks hold.
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
 * A collection of garbage by the runtime, if programs may ask for one: V8 needs its flag `--expose-gc`. A minor one
 * takes a few milliseconds.
 */
export function runtimeCollection(type: 'minor' | 'major'): (() => void) | undefined {
  if (typeof Bun !== 'undefined') return () => Bun?.gc(true);
  return typeof globalThis.gc === 'function' ? () => void globalThis.gc?.({ type }) : undefined;
}
