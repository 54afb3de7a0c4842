import type { Case } from '../core/case.ts';
import { countStatuses, requirementResults, type CaseResult, type Report } from '../report/report.ts';
import { settingsKey } from '../service/deployments.ts';
import { openSession, type SessionOptions } from './session.ts';

export interface RunCasesOptions extends SessionOptions {
  /** The findings about each area of the target, for the report. Default: empty. */
  readonly areas?: Report['areas'];
  /** Called when a case has ended. */
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs cases against a target, several at once, and reports them in their order. Never rejects. */
export async function runCases(options: RunCasesOptions): Promise<Report> {
  const { target, onResult, signal } = options;
  const startedAt = new Date();
  const began = performance.now();
  const session = openSession(options);
  const byId = new Map<string, CaseResult>();
  let leftBehind: readonly string[] = [];
  try {
    await Promise.all(
      inGroups(options.cases).map(async (testCase) => {
        const result = await session.run(testCase);
        byId.set(testCase.id, result);
        onResult?.(result);
      }),
    );
  } finally {
    leftBehind = await session.close();
  }
  const results = options.cases.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    format: 'packhouse-conformance-report',
    version: 1,
    target: {
      name: target.name,
      origin: target.origin,
      dialect: target.dialect,
      account: target.account,
      zone: target.zone ?? null,
      public_service: target.publicService === true,
    },
    areas: options.areas ?? [],
    seed: session.seed,
    prefix: session.prefix,
    started_at: startedAt.toISOString(),
    milliseconds: Math.round(performance.now() - began),
    interrupted: signal?.aborted === true,
    counts: countStatuses(results),
    cases: results,
    requirements: requirementResults(results),
    left_behind: leftBehind,
  };
}

/**
 * Sorts cases by the deployment that they share, and slow ones first: a run ends late if a slow case begins last. Slow
 * cases of the target come before other deployments, and its short ones last, since they fill the gaps.
 */
export function inGroups(cases: readonly Case[]): readonly Case[] {
  const groups = Map.groupBy(cases, settingsKey);
  const ofTarget = Map.groupBy(groups.get(undefined) ?? [], ({ slow }) => slow === true);
  groups.delete(undefined);
  const bySlow = (some: readonly Case[]): readonly Case[] =>
    some.toSorted((one, other) => Number(other.slow === true) - Number(one.slow === true));
  const others = [...groups.values()].map(bySlow);
  const first = others.toSorted(([one], [other]) => Number(other?.slow === true) - Number(one?.slow === true));
  return [...(ofTarget.get(true) ?? []), ...first.flat(), ...(ofTarget.get(false) ?? [])];
}
