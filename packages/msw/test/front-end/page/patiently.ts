import type { Banner } from './banner.ts';
import { Failure } from './failure.ts';
import type { SignIn } from './sign-in.ts';

/** Does what may fail, until it is done. Nothing, if the visitor gives up, or it failed when nobody wanted it any more. */
export type Patiently = <Done>(ask: () => Promise<Done>, isWanted?: () => boolean) => Promise<Done | undefined>;

/** Tells the visitor of failures, waits as long as the service says, and asks for another token where one is needed. */
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
