import { readdirSync } from 'node:fs';

/** Milliseconds between two looks. */
const period = 500;

/** Descriptors of this process; undefined where the system does not tell. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? Infinity : undefined;
  }
}

/**
 * Looks from time to time whether more than `max` descriptors were opened since the call, and tells `onLook`: Bun shows
 * nobody its connections. Does nothing where the system does not tell.
 *
 * @returns a function that ends it.
 */
export function watchDescriptors(max: number, onLook: (tooMany: () => boolean) => void): () => void {
  const before = openDescriptors();
  if (before === undefined) return () => undefined;
  const tooMany = (): boolean => (openDescriptors() ?? 0) - before > max;
  const timer = setInterval(() => onLook(tooMany), period);
  timer.unref();
  return () => clearInterval(timer);
}
