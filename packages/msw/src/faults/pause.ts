/** The longest delay of a timer. Longer delays would fire at once. */
export const longestPause = 2_147_483_647;

/** Waits for the milliseconds, or until one of the signals is aborted. Never rejects, and leaves no timer behind. */
export function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, longestPause));
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
}
