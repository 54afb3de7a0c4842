/** Milliseconds for which the result of a check is kept. */
const resultAge = 1_000;

/** Milliseconds after which storage that has not answered counts as gone. A probe must not wait for a dead database. */
const checkMax = 2_000;

/**
 * Makes the check behind `/readyz`. Probes of many proxies cost one check of the storage a second, and one check runs at
 * a time. A synchronous check is cheap, so its result is not kept.
 *
 * @param demandPresent throws or rejects if the storage cannot be reached. Default: it always can.
 * @param report receives its error, once until the storage is there again.
 * @param now returns milliseconds of a clock that never goes back.
 */
export function readiness(
  ready: () => boolean | Promise<boolean>,
  demandPresent: () => void | Promise<void> = () => undefined,
  report: (error: unknown) => void = () => undefined,
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let known: { readonly at: number; readonly isPresent: boolean } | undefined;
  let running: Promise<boolean> | undefined;
  let isReported = false;
  const failed = (error: unknown): false => {
    if (!isReported) report(error);
    isReported = true;
    return false;
  };
  const succeeded = (): true => {
    isReported = false;
    return true;
  };
  const finish = async (check: Promise<void>): Promise<boolean> => {
    const isPresent = await check.then(succeeded, failed);
    known = { at: now(), isPresent };
    running = undefined;
    return isPresent;
  };
  const isPresent = async (): Promise<boolean> => {
    if (known !== undefined && now() - known.at < resultAge) return known.isPresent;
    if (running === undefined) {
      try {
        const check = demandPresent();
        if (check === undefined) return succeeded();
        running = finish(check);
      } catch (error) {
        return failed(error);
      }
    }
    return within(running, checkMax);
  };
  return async () => (await ready()) && (await isPresent());
}

/** Returns the result, or false if it takes longer than `milliseconds`. */
async function within(result: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
