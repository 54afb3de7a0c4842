import { NotDone } from '../core/outcome.ts';
import type { SentError } from './wire.ts';

/** A rejected call of the binding. A case that does not expect it fails. */
export class BindingFailure extends NotDone {
  /** The error of the call, as the probe saw it. */
  readonly error: SentError;

  constructor(method: string, error: SentError) {
    const { code, numericCode } = error.own;
    super(`${method} was rejected: ${error.name} ${String(code)} ${String(numericCode)}: ${error.message}`);
    this.error = error;
  }
}
