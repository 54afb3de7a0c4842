import type { CaseResult, Status } from '../report/report.ts';
import type { Baseline, Deviation } from './baseline.ts';

/** The results of a run beside the known deviations. */
export interface Judgement {
  /** Failures that the baseline has. */
  readonly known: readonly Deviation[];
  /** Failures that it has not, or as another status. */
  readonly regressions: readonly CaseResult[];
  /** Deviations whose case the suite has no more. */
  readonly disappeared: readonly Deviation[];
  /** Deviations that did not occur, with the status of their case. Skipped cases are not among them. */
  readonly ended: readonly (Deviation & { readonly now: Status })[];
}

/** Marks a failure that the baseline has, with its reason. */
export function markKnown(result: CaseResult, { deviations }: Baseline): CaseResult {
  const found = deviations.find((one) => one.case === result.id && one.status === result.status);
  return found === undefined ? result : { ...result, known: found.reason };
}

/** Compares marked results with a baseline. `suite` has the ids of all cases, also of those that did not run. */
export function judge(results: readonly CaseResult[], baseline: Baseline, suite: ReadonlySet<string>): Judgement {
  const { deviations } = baseline;
  const byId = new Map(results.map((result) => [result.id, result]));
  return {
    known: deviations.filter((deviation) => byId.get(deviation.case)?.known !== undefined),
    regressions: results.filter(({ failure, known }) => failure !== null && known === undefined),
    disappeared: deviations.filter((deviation) => !suite.has(deviation.case)),
    ended: deviations.flatMap((deviation) => {
      const now = byId.get(deviation.case)?.status;
      const occurs = now === undefined || now === 'skipped' || now === 'fail' || now === 'error';
      return occurs ? [] : [{ ...deviation, now }];
    }),
  };
}
