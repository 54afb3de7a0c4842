/** A signal of its own, and what gives up its timer. */
export interface TimeLimit {
  /** Aborted with the reason of the outer signal, or a `TimeoutError` when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time was over. */
  readonly isOver: () => boolean;
  /** To be called when nobody waits any longer: Deno would not end before the timer does, as with `AbortSignal.timeout`. */
  readonly release: () => void;
}

/** @param outer Ends it sooner. */
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
