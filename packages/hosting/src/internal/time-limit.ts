/** A signal with a timer. */
export interface TimeLimit {
  /** Aborted with the reason of the outer signal, or a `TimeoutError` when the time is over. */
  readonly signal: AbortSignal;
  /** Tests if the time was over. */
  readonly isOver: () => boolean;
  /** Stops the timer. Deno would wait for it before it exits, as it does for `AbortSignal.timeout`. */
  readonly release: () => void;
}

/** Makes a signal that aborts after that time, or when `outer` does. */
export function timeLimit(milliseconds: number, outer: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort(new DOMException('It took too long', 'TimeoutError'));
  }, milliseconds);
  const stop = (): void => controller.abort(outer.reason);
  if (outer.aborted) stop();
  outer.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    release() {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
    },
  };
}
