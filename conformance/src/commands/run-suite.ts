import { CliError, connectionFailure, type Invocation, type Io } from '@packhouse/command';
import type { Case } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { findService, findZone, type Found } from '../service/reach.ts';
import { givenOptions, optionWords } from './given-options.ts';
import { runProgress } from './progress.ts';
import { numberOf, targetOptions } from './run-options.ts';
import { wantedTarget, type WantedTarget } from './target.ts';

export interface SuiteRun {
  readonly report: Report;
  /** Returns the command line that runs one case again. Tokens stay in the environment. */
  readonly rerun: (id: string) => string;
}

/**
 * Runs cases against the target that command line and environment describe. Ctrl-C stops the run, and cleans up.
 *
 * @param seed Default: a random seed.
 * @param onResult is called when a case has ended.
 * @throws {CliError} kind `usage`; kind `refused` if nothing answers, or something else does.
 */
export async function runSuite(
  invocation: Invocation,
  io: Io,
  chosen: readonly Case[],
  seed?: number,
  onResult?: (result: CaseResult) => void,
): Promise<SuiteRun> {
  const wanted = wantedTarget(invocation, io);
  const { zone, zoneAlone = false } = wanted;
  const ofZone = zoneAlone && invocation.texts('only').length === 0;
  const cases = ofZone ? chosen.filter(({ needs }) => needs?.includes('zone') === true) : chosen;
  const concurrency = numberOf(invocation, 'concurrency', 1, 64);
  const timeLimit = numberOf(invocation, 'time-limit', 1, 86_400);
  const sent = { ...wanted, fetch: io.fetch, listens: true };
  const found: Found =
    zoneAlone && zone !== undefined
      ? await findZone({ ...sent, zone }, wanted.dialect)
      : await findService(sent, wanted.dialect);
  if (found.kind !== 'service') throw refusal(found, wanted);
  const target: Target = { ...sent, dialect: found.dialect };

  const progress = runProgress(cases, io);
  const stop = new AbortController();
  const release = io.onSignal(() => {
    release();
    progress.say('stopping; what was made is being removed');
    stop.abort(new Error('stopped'));
  });
  const { runCases } = await import('../run/run-cases.ts');
  const url = invocation.optionalArgument('URL') ?? null;
  const options = givenOptions(invocation, targetOptions);
  try {
    const report = await runCases({
      target,
      cases,
      environment: io.env,
      signal: stop.signal,
      ...(seed === undefined ? {} : { seed }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(timeLimit === undefined ? {} : { timeLimit: timeLimit * 1000 }),
      onResult(result) {
        progress.ended(result);
        onResult?.(result);
      },
      onWait: progress.waits,
    });
    const { dialect: _, ...others } = options;
    const words = [
      `${io.program} run`,
      ...(url === null ? [] : [url]),
      ...optionWords(others),
      `--dialect ${target.dialect} --seed ${report.seed} --only`,
    ];
    return { report: { ...report, run: { url, options } }, rerun: (id) => [...words, id].join(' ') };
  } finally {
    release();
    progress.end();
  }
}

/** Returns the error for a target that is not there. Its exit code is that of `refused`. */
function refusal(
  found: Exclude<Found, { kind: 'service' }>,
  { origin, account, zoneAlone = false }: WantedTarget,
): CliError {
  if (found.kind === 'not admitted') {
    return new CliError(
      'usage',
      `The service does not admit CONFORMANCE_API_TOKEN to the account "${account}" (${found.status}).`,
      'Check the token and --account.',
    );
  }
  if (found.kind === 'nothing') {
    const { kind, message } = connectionFailure(found.error, origin);
    const hint = kind === 'certificate' ? 'Name the file of its authority in NODE_EXTRA_CA_CERTS.' : 'Check the URL.';
    return new CliError('refused', message, hint);
  }
  if (zoneAlone) {
    return new CliError(
      'refused',
      `${origin} shows no platform errors at /cdn-cgi/error/1000 (${found.status}).`,
      'Switch the error route on there, or give --dialect to see what is wrong with it.',
    );
  }
  return new CliError(
    'refused',
    `What answers at ${origin} is no service of this kind (${found.status}).`,
    'Check the URL, and --dialect if it is given.',
  );
}
