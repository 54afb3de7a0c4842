import type { FoundArea } from '../core/area.ts';
import type { Level } from '../core/case.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** The outcome of a case. README.md explains the differences. */
export type Status = 'pass' | 'fail' | 'error' | 'beyond' | 'unsupported' | 'skipped';

/** The statuses by importance. A requirement with several cases gets the first one that occurs. */
export const statuses: readonly Status[] = ['fail', 'error', 'pass', 'beyond', 'unsupported', 'skipped'];

/** The reason why a case did not pass. */
export interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  /** The smallest input for which a property does not hold. */
  readonly input?: FailingInput;
  /** File and line of the case, such as `cases/rest/names.ts:12`; null if unknown. */
  readonly where: string | null;
}

/** The input of a property-based case, and what fast-check needs to make it again. */
export interface FailingInput {
  /** The whole input as text, up to 1 MiB. */
  readonly text: string;
  /** The true length of the text in characters. */
  readonly length: number;
  readonly seed: number;
  readonly path: string;
  /** How often fast-check made it smaller. */
  readonly shrinks: number;
}

export interface CaseResult {
  readonly id: string;
  readonly status: Status;
  readonly requirements: readonly string[];
  readonly level: Level;
  readonly explanation: string;
  /** The seed of everything random in this case. */
  readonly seed: number;
  readonly milliseconds: number;
  /**
   * Why it was skipped, the evidence of `unsupported`, the finding of `beyond`, or the note of a passing case where
   * several answers are right; else null.
   */
  readonly reason: string | null;
  /** Present for `fail` and `error`; else null. */
  readonly failure: Failure | null;
  /** The reason of a known deviation. Present if the baseline of the run has this failure, so the run may pass. */
  readonly known?: string;
  /** The requests and replies of the case. Present for `fail`, `error` and `unsupported`, unless it did neither. */
  readonly evidence?: Evidence;
}

export interface RequirementResult {
  readonly id: string;
  /** `pass` if at least one of its cases passed and none failed or broke. */
  readonly status: Status;
  /** The ids of its cases. */
  readonly cases: readonly string[];
}

/** The result of a run. `schema/report.schema.json` describes its JSON form. */
export interface Report {
  readonly format: 'packhouse-conformance-report';
  /** The version of the format. Members may be added to a version; removing one needs the next version. */
  readonly version: 1;
  readonly target: {
    readonly name: string;
    readonly origin: string;
    readonly dialect: 'neutral' | 'cloudflare';
    /** Empty without a control plane: for a Git server or a zone alone. */
    readonly account: string;
    /** The origin of the zone. */
    readonly zone: string | null;
    readonly public_service: boolean;
  };
  /** The findings about each area, if the run looked. */
  readonly areas: readonly FoundArea[];
  /** The seed of the run, from which every case gets its seed. */
  readonly seed: number;
  /** The prefix of all names in the run. */
  readonly prefix: string;
  /** ISO 8601 in UTC. */
  readonly started_at: string;
  readonly milliseconds: number;
  /** True if the run was stopped before its end. */
  readonly interrupted: boolean;
  readonly counts: Readonly<Record<Status, number>>;
  readonly cases: readonly CaseResult[];
  readonly requirements: readonly RequirementResult[];
  /** The command line of the run, without tokens. Absent if no command line started it. */
  readonly run?: {
    readonly url: string | null;
    /** The options that describe the target, by their names; true for a switch. */
    readonly options: Readonly<Record<string, string | readonly string[] | true>>;
  };
  /** Descriptions of things that could not be removed from the service, and of deployments that failed to close. */
  readonly left_behind: readonly string[];
}

export function countStatuses(results: readonly CaseResult[]): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** Returns the result of each requirement, by id. */
export function requirementResults(results: readonly CaseResult[]): RequirementResult[] {
  const ids = [...new Set(results.flatMap(({ requirements }) => requirements))].sort();
  return ids.map((id) => {
    const its = results.filter(({ requirements }) => requirements.includes(id));
    const status = statuses.find((one) => its.some((result) => result.status === one)) ?? 'skipped';
    return { id, status, cases: its.map((result) => result.id) };
  });
}
