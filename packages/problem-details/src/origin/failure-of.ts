import { failureOfCode } from './failure-of-code.ts';
import { failureOfMessage } from './failure-of-message.ts';
import { type OriginFailure, originFailures } from './failure.ts';

/** Maximum depth of causes, and number of errors in each. */
const depthMax = 8;
const errorsMax = 32;

/** Maps an error of `fetch` to a code (ERR-132 to ERR-140), by the details that each runtime gives; otherwise 502. */
export function failureOf(thrown: unknown): OriginFailure {
  return find(thrown, 0) ?? 502;
}

function find(thrown: unknown, depth: number): OriginFailure | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > depthMax) return undefined;
  const { errors, message, cause } = thrown as Readonly<Record<string, unknown>>;
  if (Array.isArray(errors)) {
    // Node reports one error per address. The code of the whole is that of the first one.
    const found = new Set(errors.slice(0, errorsMax).map((error) => find(error, depth + 1)));
    const furthest = originFailures.find((failure) => found.has(failure));
    if (furthest !== undefined) return furthest;
  }
  const told = failureOfCode(thrown) ?? (typeof message === 'string' ? failureOfMessage(message) : undefined);
  return told ?? find(cause, depth + 1);
}
