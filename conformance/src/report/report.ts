import type { Level } from '../core/case.ts';

/** How a case ended. README.md tells them apart. */
export type Status = 'pass' | 'fail' | 'error' | 'beyond' | 'unsupported' | 'skipped';

/** In the order in which people want to see them; of several, the first speaks for a requirement. */
export const statuses: readonly Status[] = ['fail', 'error', 'pass', 'beyond', 'unsupported', 'skipped'];

/** Why a case did not pass. */
export interface Failure {
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  /** File and line of the case, such as `cases/rest/names.ts:12`; null if nothing points there. */
  readonly where: string | null;
}

export interface CaseResult {
  readonly id: string;
  readonly status: Status;
  readonly requirements: readonly string[];
  readonly level: Level;
  readonly explanation: string;
  /** What everything random in this case came from. */
  readonly seed: number;
  readonly milliseconds: number;
  /**
   * Why it was skipped, the evidence of `unsupported`, what `beyond` saw, or what one that passes found where several
   * things are right; else null.
   */
  readonly reason: string | null;
  /** Of `fail` and `error`; else null. */
  readonly failure: Failure | null;
}

export interface RequirementResult {
  readonly id: string;
  /** `pass` if at least one of its cases passed and none failed or broke. */
  readonly status: Status;
  /** Ids of its cases. */
  readonly cases: readonly string[];
}

/** What a run came to. Its JSON form is described by `schema/report.schema.json`. */
export interface Report {
  readonly format: 'packhouse-conformance-report';
  /** Of the format: members are added under the same one, and only taken away under the next. */
  readonly version: 1;
  readonly target: {
    readonly name: string;
    readonly origin: string;
    readonly dialect: 'neutral' | 'cloudflare';
    /** Empty if there was no service, only a zone. */
    readonly account: string;
    /** Origin of the zone. */
    readonly zone: string | null;
    readonly public_service: boolean;
  };
  /** Of the run: with it, every case gets its seed again. */
  readonly seed: number;
  /** What all names of the run began with. */
  readonly prefix: string;
  /** ISO 8601 in UTC. */
  readonly started_at: string;
  readonly milliseconds: number;
  /** Whether the run was stopped before its end. */
  readonly interrupted: boolean;
  readonly counts: Readonly<Record<Status, number>>;
  readonly cases: readonly CaseResult[];
  readonly requirements: readonly RequirementResult[];
  /** What could not be removed from the service, and deployments that did not close well, in words. */
  readonly left_behind: readonly string[];
}

export function countStatuses(results: readonly CaseResult[]): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** What the cases say of each requirement, by id. */
export function requirementResults(results: readonly CaseResult[]): RequirementResult[] {
  const ids = [...new Set(results.flatMap(({ requirements }) => requirements))].sort();
  return ids.map((id) => {
    const its = results.filter(({ requirements }) => requirements.includes(id));
    const status = statuses.find((one) => its.some((result) => result.status === one)) ?? 'skipped';
    return { id, status, cases: its.map((result) => result.id) };
  });
}
