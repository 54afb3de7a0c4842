import { NotDone } from '../core/outcome.ts';
import type { SentError } from './wire.ts';

/** A call of the binding failed. A case that did not expect it has failed, too. */
export class BindingFailure extends NotDone {
  /** What the call was rejected with, as the program beside the binding saw it. */
  readonly error: SentError;

  constructor(method: string, error: SentError) {
    const { code, numericCode } = error.own;
    super(`${method} was rejected: ${error.name} ${String(code)} ${String(numericCode)}: ${error.message}`);
    this.error = error;
  }
}
