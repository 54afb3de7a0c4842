import { readdirSync } from 'node:fs';

/** Milliseconds between two checks. */
const period = 500;

/** Returns the number of open descriptors of this process; undefined where the system does not report it. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? Infinity : undefined;
  }
}

/**
 * Calls `onLook` from time to time with a function that says if more than `max` descriptors were opened since this
 * call. Bun does not expose its connections, so we count descriptors. A no-op where the system does not report them.
 *
 * @returns a function that stops the checks.
 */
export function watchDescriptors(max: number, onLook: (tooMany: () => boolean) => void): () => void {
  const before = openDescriptors();
  if (before === undefined) return () => undefined;
  const tooMany = (): boolean => (openDescriptors() ?? 0) - before > max;
  const timer = setInterval(() => onLook(tooMany), period);
  timer.unref();
  return () => clearInterval(timer);
}
