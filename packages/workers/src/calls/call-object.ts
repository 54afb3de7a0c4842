import type { Usage } from '../request/usage.ts';

/** An object gets more calls than it can take. Calling it again would make that worse. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
}

/** Flags that the platform sets on errors of calls. */
interface CallFailure {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly durableObjectReset?: boolean;
}

const attempts = 3;

/** Milliseconds before the second attempt; doubled before the third. */
const firstDelay = 50;

/** How one call of an object is made. */
export interface CallOptions<Calls> {
  /** A new stub: that of an object which was reset stays broken. */
  readonly stub: () => Calls;
  readonly usage: Usage;
  /** Whether a second call does no harm and answers the same. Only then is one made, when the first one failed. */
  readonly repeatable: boolean;
}

/**
 * Calls an object, and again where the platform says that this may help.
 *
 * @throws {OverloadedError}
 * @throws what the last attempt threw.
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
