import type { Usage } from '../request/usage.ts';

/** An object receives more calls than it can handle. A retry would make that worse. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** Flags that the platform sets on the errors of calls. */
interface CallFailure {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly durableObjectReset?: boolean;
}

const attempts = 3;

/** Milliseconds before the second attempt; doubled before the third. */
const firstDelay = 50;

/** Options of one call to an object. */
export interface CallOptions<Calls> {
  /** Makes a new stub, because the old stub of a reset object stays broken. */
  readonly stub: () => Calls;
  readonly usage: Usage;
  /** True if a second call is harmless and returns the same. Only then is a failed call retried. */
  readonly repeatable: boolean;
}

/**
 * Calls an object. Retries a repeatable call, up to three attempts, if the platform says that a retry may help.
 *
 * @throws {OverloadedError}
 * @throws the error of the last attempt.
 */
export async function callObject<Calls, T>(
  { stub, usage, repeatable }: CallOptions<Calls>,
  call: (calls: Calls) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    usage.objectCalls += 1;
    try {
      return await call(stub());
    } catch (error) {
      const failure = Object(error) as CallFailure;
      if (failure.overloaded === true) {
        usage.overloaded += 1;
        throw new OverloadedError('An object is overloaded', { cause: error });
      }
      const mayHelp = failure.retryable === true || failure.durableObjectReset === true;
      if (!repeatable || !mayHelp || attempt === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, firstDelay * 2 ** (attempt - 1)));
    }
  }
}
