import { NotDone, Skipped, Unsupported } from '../core/outcome.ts';

/** How a case ended by throwing. */
export type Thrown = 'fail' | 'unsupported' | 'skipped' | 'error';

const deepest = 8;

/**
 * An assertion, or something that the service was asked for and did not do, is a failure; anything else that a case
 * throws is an error: of the case, of this machine, or of the connection.
 */
export function classify(error: unknown, depth: number = 0): Thrown {
  if (error instanceof Unsupported) return 'unsupported';
  if (error instanceof Skipped) return 'skipped';
  if (!(error instanceof Error) || depth > deepest) return 'error';
  if (error instanceof NotDone || error.name === 'AssertionError') return 'fail';
  // fast-check wraps what its property threw. Of one that only answered false, it has nothing to wrap.
  if (error.message.startsWith('Property failed')) {
    return error.cause === undefined || error.cause === null ? 'fail' : classify(error.cause, depth + 1);
  }
  return 'error';
}
