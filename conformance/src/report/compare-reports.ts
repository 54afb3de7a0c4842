import { requirementResults, type CaseResult, type Report, type Status } from './report.ts';

/** The differences of two deployments. Everything of the first report comes first. */
export interface Comparison {
  /** How many cases ran against both. */
  readonly compared: number;
  /** The cases with two outcomes, in the order of the first report. */
  readonly cases: readonly CaseDifference[];
  readonly requirements: readonly RequirementDifference[];
  /** The cases that ran against one of them alone. */
  readonly only: { readonly first: readonly string[]; readonly second: readonly string[] };
}

export interface CaseDifference extends Pick<CaseResult, 'id' | 'requirements' | 'explanation'> {
  readonly first: Outcome;
  readonly second: Outcome;
}

export type Outcome = Pick<CaseResult, 'status' | 'reason' | 'failure'>;

export interface RequirementDifference {
  readonly id: string;
  readonly first: Status;
  readonly second: Status;
}

/**
 * Compares two reports by status. A case that was skipped did not run. Two failures of one case count as the same: their
 * texts have random names.
 */
export function compareReports(first: Report, second: Report): Comparison {
  const ran = (report: Report): ReadonlyMap<string, CaseResult> =>
    new Map(report.cases.filter(({ status }) => status !== 'skipped').map((result) => [result.id, result]));
  const [ones, others] = [ran(first), ran(second)];
  const missing = (from: ReadonlyMap<string, unknown>, to: ReadonlyMap<string, unknown>): readonly string[] =>
    [...from.keys()].filter((id) => !to.has(id));
  const pairs = [...ones.values()].flatMap((one) => {
    const other = others.get(one.id);
    return other === undefined ? [] : [[one, other] as const];
  });
  const requirements = requirementResults(pairs.map(([one]) => one));
  const statusesOfOther = new Map(
    requirementResults(pairs.map(([, other]) => other)).map((one) => [one.id, one.status]),
  );
  return {
    compared: pairs.length,
    cases: pairs
      .filter(([one, other]) => one.status !== other.status)
      .map(([one, other]) => ({
        id: one.id,
        requirements: one.requirements,
        explanation: one.explanation,
        first: outcome(one),
        second: outcome(other),
      })),
    requirements: requirements.flatMap(({ id, status }) => {
      const other = statusesOfOther.get(id);
      return other === undefined || other === status ? [] : [{ id, first: status, second: other }];
    }),
    only: { first: missing(ones, others), second: missing(others, ones) },
  };
}

function outcome({ status, reason, failure }: CaseResult): Outcome {
  return { status, reason, failure };
}
