/** Milliseconds between two looks at a database without much free space. */
const lookPeriod = 30_000;
/** Milliseconds between two steps, so that requests get most of the time. */
const stepPause = 100;

/**
 * Calls `step` (of `freePages`) in the background. After a failure it looks again later: the requests report what is
 * wrong with the database.
 */
export function returnFreePages(step: () => boolean): { readonly stop: () => void } {
  let timer: NodeJS.Timeout;
  const plan = (delay: number): void => {
    timer = setTimeout(() => {
      let isUnfinished = false;
      try {
        isUnfinished = step();
      } catch {
        // For example, the disk is full.
      }
      plan(isUnfinished ? stepPause : lookPeriod);
    }, delay);
    timer.unref();
  };
  plan(lookPeriod);
  return { stop: () => clearTimeout(timer) };
}
