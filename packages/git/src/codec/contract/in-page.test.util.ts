import { portableCodec } from '../portable.ts';
import { codecContract } from './contract.test.util.ts';
import { webOracle } from './web-oracle.test.util.ts';

/** Result of one case. */
export interface CaseOutcome {
  readonly name: string;
  /** The thrown message, or null if the codec passes. */
  readonly failure: string | null;
}

/** The contract for the portable codec, in the page that loads this. */
export async function runInPage(): Promise<readonly CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const { name, run } of codecContract) {
    let failure: string | null = null;
    try {
      await run(portableCodec(), webOracle);
    } catch (error) {
      failure = error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
    }
    outcomes.push({ name, failure });
  }
  return outcomes;
}
