import { areaOf, type Area } from '../core/area.ts';
import { countStatuses, type CaseResult, type Status } from './report.ts';

/** The cases of one area. */
export interface AreaCases {
  readonly id: Area;
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

/** Returns the name of an area for people. The cases of another suite may have other areas. */
export function areaName(area: Area): string {
  return names[area] ?? area;
}

/** Groups cases by area, in the order of the report. */
export function byArea(cases: readonly CaseResult[]): readonly AreaCases[] {
  const groups = Map.groupBy(cases, areaOf);
  return [...groups].map(([id, its]) => ({ id, name: areaName(id), cases: its, counts: countStatuses(its) }));
}

/** Groups cases that have the same reason, in order of appearance. */
export function byReason(cases: readonly CaseResult[]): readonly (readonly [reason: string, cases: CaseResult[]])[] {
  return [...Map.groupBy(cases, ({ reason }) => reason ?? 'no reason was given')];
}
