import { shellWord, shown, type Invocation, type Io } from '@packhouse/command';
import { areaOf, areas as allAreas, type Area, type FoundArea } from '../core/area.ts';
import type { Case } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import { findTarget } from '../probe/find-target.ts';
import { randomPrefix } from '../core/prefix.ts';
import { areaName } from '../report/areas.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { hasControlPlane, withoutArea } from '../run/lacking.ts';
import { givenOptions, optionWords } from './given-options.ts';
import { runProgress } from './progress.ts';
import { numberOf, targetOptions } from './run-options.ts';
import { notFound } from './not-found.ts';
import { wantedTarget } from './target.ts';

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
  const wanted = await wantedTarget(invocation, io);
  const concurrency = numberOf(invocation, 'concurrency', 1, 64);
  const timeLimit = numberOf(invocation, 'time-limit', 1, 86_400);
  const runs = numberOf(invocation, 'runs', 1, 10_000);
  const rate = numberOf(invocation, 'rate', 1, 100_000);
  const sought = wanted.areas ?? areasOf(chosen);
  const prefix = randomPrefix();
  const found = await findTarget({ ...wanted, areas: sought, fetch: io.fetch, listens: true }, prefix);
  if (found.kind !== 'target') throw notFound(found, wanted, io);
  const { target } = found;
  const isPart = invocation.texts('only').length > 0;
  const isWhole = !isPart && wanted.areas === undefined;
  const areas = isWhole ? [...found.areas, ...notSought(found.areas)] : found.areas;
  const cases = isPart ? chosen : chosen.filter((one) => isFor(one, target));

  const progress = runProgress(cases, io);
  const stop = new AbortController();
  const release = io.onSignal(() => {
    release();
    progress.say('stopping; what was made is being removed');
    stop.abort(new Error('stopped'));
  });
  for (const { area, found: isThere, evidence, elsewhere } of areas) {
    if (!isThere) io.err(`${areaName(area)} not tested: ${shown(evidence)}\n`);
    if (elsewhere !== undefined) io.err(`${areaName(area)} is tested at ${elsewhere}, where the service says it is\n`);
  }
  const { runCases } = await import('../run/run-cases.ts');
  const url = invocation.optionalArgument('URL') ?? null;
  const options = givenOptions(invocation, targetOptions);
  try {
    const report = await runCases({
      target,
      areas,
      cases,
      environment: io.env,
      signal: stop.signal,
      prefix,
      ...(seed === undefined ? {} : { seed }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(timeLimit === undefined ? {} : { timeLimit: timeLimit * 1000 }),
      ...(runs === undefined ? {} : { runs }),
      ...(rate === undefined ? {} : { rate }),
      onResult(result) {
        progress.ended(result);
        onResult?.(result);
      },
      onWait: progress.waits,
    });
    const { dialect: _, ...others } = options;
    const words = [
      `${io.program} run`,
      ...(url === null ? [] : [shellWord(url)]),
      ...optionWords(others),
      ...(areas.some(({ area }) => area !== 'git') ? [`--dialect ${target.dialect}`] : []),
      `--seed ${report.seed} --only`,
    ];
    return { report: { ...report, run: { url, options } }, rerun: (id) => [...words, id].join(' ') };
  } finally {
    release();
    progress.end();
  }
}

/** Returns the areas to look for: those of the cases, and what shows whether there is a service. */
function areasOf(cases: readonly Case[]): readonly Area[] {
  const own = new Set(cases.map(areaOf));
  if (own.has('git') || own.has('binding') || !own.has('tags')) own.add('rest');
  return allAreas.filter((area) => own.has(area));
}

/** Returns the areas that were not looked for, with what that needs. */
function notSought(found: readonly FoundArea[]): readonly FoundArea[] {
  const others = allAreas.filter((area) => found.every((one) => one.area !== area));
  return others.map((area) => ({ area, found: false, evidence: withoutArea[area] }));
}

/** Returns true for a case that a run without `--only` takes: of an area that is there, and possible there. */
function isFor(one: Case, target: Target): boolean {
  const { areas, readOnly } = target;
  if (areas?.includes(areaOf(one)) === false || (readOnly === true && one.readOnly !== true)) return false;
  return hasControlPlane(target) || one.needs?.includes('control plane') !== true;
}
