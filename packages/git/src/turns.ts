/**
 * Long work is cut into turns, so that one large request does not keep the others waiting: a loop asks
 * {@link Turns.due} often, which is cheap, and lets the others run when it is.
 */
export interface Turns {
  /** Whether the turn has lasted long enough. `weight`: how many small steps the next one is worth; default 1. */
  due(weight?: number): boolean;
  /** Lets other work run; begins the next turn. */
  pass(): Promise<void>;
}

const turnMilliseconds = 20;
/** A clock read costs more than a step of most loops. */
const stepsBetweenLooks = 32;
/** Where clocks stand still while code runs, as on Workers, steps end the turn. */
const stepsMax = 4096;

export function createTurns(): Turns {
  let steps = 0;
  let nextLook = stepsBetweenLooks;
  let end = performance.now() + turnMilliseconds;
  return {
    due(weight = 1) {
      steps += weight;
      if (steps < nextLook) return false;
      nextLook = steps + stepsBetweenLooks;
      return steps >= stepsMax || performance.now() >= end;
    },
    async pass() {
      // A promise alone would not let timers and sockets run.
      await new Promise((resolve) => setTimeout(resolve, 0));
      end = performance.now() + turnMilliseconds;
      steps = 0;
      nextLook = stepsBetweenLooks;
    },
  };
}
