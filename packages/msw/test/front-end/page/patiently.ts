import type { Banner } from './banner.ts';
import { Failure } from './failure.ts';
import type { SignIn } from './sign-in.ts';

/**
 * Repeats a request until it succeeds. Resolves to undefined if the visitor gives up, or the result is no longer
 * wanted.
 */
export type Patiently = <Done>(ask: () => Promise<Done>, isWanted?: () => boolean) => Promise<Done | undefined>;

/** Reports failures to the visitor, waits as long as the service asks for, and asks for another token if necessary. */
export function createPatiently(banner: Banner, signIn: SignIn): Patiently {
  return async (ask, isWanted = () => true) => {
    let told: Failure | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const done = await ask();
        if (told) banner.hide(told);
        return done;
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        if (!isWanted()) return undefined;
        if (failure.kind === 'signed out') {
          await signIn.ask('You are signed out', 'Your token is not accepted, or not any more.');
        } else {
          told = failure;
          if (!(await banner.ask(failure, failure.delay(attempt)))) return undefined;
        }
      }
    }
  };
}
