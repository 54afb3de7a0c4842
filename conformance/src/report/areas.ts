import { countStatuses, type CaseResult, type Status } from './report.ts';

/** The cases of one part of the interface. */
export interface Area {
  /** The first word of the ids of its cases, such as `git`. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  readonly cases: readonly CaseResult[];
  readonly counts: Readonly<Record<Status, number>>;
}

const names: Readonly<Record<string, string>> = {
  rest: 'REST',
  git: 'Git',
  tags: 'Tags',
  errors: 'Platform errors',
  binding: 'Runtime binding',
};

/** Returns the area of a case by its id. */
export function areaOf(caseId: string): string {
  return caseId.split('/')[0] as string;
}

/** Groups cases by area, in the order of the report. */
export function byArea(cases: readonly CaseResult[]): readonly Area[] {
  const groups = Map.groupBy(cases, ({ id }) => areaOf(id));
  return [...groups].map(([id, its]) => ({ id, name: names[id] ?? id, cases: its, counts: countStatuses(its) }));
}

/** Groups cases that have the same reason, in order of appearance. */
export function byReason(cases: readonly CaseResult[]): readonly (readonly [reason: string, cases: CaseResult[]])[] {
  return [...Map.groupBy(cases, ({ reason }) => reason ?? 'no reason was given')];
}
