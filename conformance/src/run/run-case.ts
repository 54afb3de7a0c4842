import type { Case } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import { NotDone, Skipped, Unsupported } from '../core/outcome.ts';
import { recording, startRecorder } from '../evidence/recorder.ts';
import { toEvidence, type EvidenceRoom } from '../evidence/to-evidence.ts';
import type { CaseResult, Failure, Status } from '../report/report.ts';
import { CaseClock } from './case-clock.ts';
import { describeFailure } from './describe-failure.ts';
import { createContext, type ContextOptions } from './make-context.ts';
import type { Secrets } from '../core/secrets.ts';

export interface RunCaseOptions extends Omit<
  ContextOptions,
  'testCase' | 'signal' | 'pause' | 'cannotSend' | 'recorder'
> {
  /** The time limit in milliseconds. */
  readonly timeLimit: number;
  /** Stops the case when aborted. */
  readonly stop: AbortSignal;
  /** True to skip the clean-up, because the whole deployment is thrown away. */
  readonly keep: boolean;
  /** Called with the milliseconds when the case waits for the rate of the service. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
  /** The room for evidence in the report, which all cases of the run share. */
  readonly room: EvidenceRoom;
}

export interface RanCase {
  readonly result: CaseResult;
  /** Descriptions of what could not be removed. */
  readonly leftBehind: readonly string[];
}

/** Runs one case until it ends or reaches its time limit, and removes what it created. Never rejects. */
export async function runCase(testCase: Case, options: RunCaseOptions): Promise<RanCase> {
  const { secrets, stop, timeLimit, seed } = options;
  const limit = new AbortController();
  const clock = new CaseClock(timeLimit, () => {
    limit.abort(new Error(`the case did not end within ${timeLimit / 1000} s (--time-limit)`));
  });
  const signal = AbortSignal.any([stop, limit.signal]);
  const pause = async (milliseconds: number): Promise<void> => {
    options.onWait?.(milliseconds);
    await clock.pause(milliseconds, signal);
  };
  // Ends the case even if it catches the error: a case that expects a request to fail would pass otherwise.
  const cannotSend = (reason: Skipped | Unsupported): void => limit.abort(reason);
  const recorder = startRecorder();
  const { context, notes, cleanUp } = createContext({
    ...options,
    testCase,
    signal,
    pause,
    cannotSend,
    recorder,
    // Making it has a time limit for itself.
    shared: async (name, make) => await clock.during(options.shared(name, make)),
  });
  const began = performance.now();
  let ending: Ending;
  try {
    await Promise.race([recording(recorder, () => testCase.run(context)), aborted(signal)]);
    ending = { status: 'pass', reason: notes.length === 0 ? null : secrets.scrub(notes.join('; ')) };
  } catch (error) {
    ending = stop.aborted ? { status: 'skipped', reason: stopped } : endingOf(error, secrets);
  } finally {
    clock.stop();
  }
  const milliseconds = Math.round(performance.now() - began);
  if ('failure' in ending) await recorder.readUnread();
  // A case that ran out of time may still be running, and must not create anything more.
  limit.abort(new Error('the case has ended'));
  const leftBehind = options.keep ? [] : await cleanUp();
  const result = resultOf(testCase, seed, ending, milliseconds, options.target);
  // A case that passes drops its evidence.
  const evidence = proved.includes(result.status) ? toEvidence(recorder, options) : undefined;
  return {
    result: evidence === undefined || recorder.isEmpty() ? result : { ...result, evidence },
    leftBehind: leftBehind.map((text) => secrets.scrub(text)),
  };
}

/** Results that come with evidence. */
const proved: readonly Status[] = ['fail', 'error', 'unsupported'];

/** The reason of cases that were not run because the run was stopped. */
export const stopped = 'the run was stopped';

/** The outcome of a case, without secrets. */
export type Ending =
  | { readonly status: 'pass'; readonly reason: string | null }
  | { readonly status: 'skipped' | 'unsupported'; readonly reason: string }
  | { readonly status: 'fail' | 'error'; readonly failure: Failure };

function endingOf(error: unknown, secrets: Secrets): Ending {
  const status = classify(error);
  if (status === 'unsupported' || status === 'skipped') {
    return { status, reason: secrets.scrub(thrownByCase(error as Error).message) };
  }
  return { status, failure: describeFailure(error, secrets) };
}

/** Returns the error that fast-check wrapped, or the error itself. */
function thrownByCase(error: Error): Error {
  const { message, cause } = error;
  return message.startsWith('Property failed') && cause instanceof Error ? thrownByCase(cause) : error;
}

/** Returns the result of a case for the report. */
export function resultOf(
  { id, requirements, level, explanation, beyond, own }: Case,
  seed: number,
  ending: Ending,
  milliseconds: number,
  { publicService, git }: Pick<Target, 'publicService' | 'git'>,
): CaseResult {
  const facts = { requirements, level, explanation, seed, milliseconds };
  const reason = 'reason' in ending ? ending.reason : null;
  const failure = 'failure' in ending ? ending.failure : null;
  // What only this specification asks for, another Git server may do or not.
  const isBeyond =
    (beyond === true && publicService === true) || (own === true && git !== undefined && ending.status !== 'pass');
  if (!isBeyond || ending.status === 'skipped' || ending.status === 'error') {
    return { id, status: ending.status, ...facts, reason, failure };
  }
  const seen =
    failure === null ? (reason ?? 'the service does it all the same') : `the service does not: ${failure.message}`;
  return { id, status: 'beyond', ...facts, reason: seen, failure: null };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** The outcome of a case that threw. */
type Thrown = 'fail' | 'unsupported' | 'skipped' | 'error';

/**
 * Classifies an error of a case. A failed assertion, or something that the service did not do, is a failure. Everything
 * else is an error: of the case, of this machine, or of the connection.
 */
function classify(thrown: unknown): Thrown {
  const error = thrown instanceof Error ? thrownByCase(thrown) : thrown;
  if (error instanceof Unsupported) return 'unsupported';
  if (error instanceof Skipped) return 'skipped';
  if (!(error instanceof Error)) return 'error';
  if (error instanceof NotDone || error.name === 'AssertionError') return 'fail';
  // A property that only returned false has no error to wrap.
  return error.message.startsWith('Property failed') && (error.cause ?? null) === null ? 'fail' : 'error';
}
