import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases as allCases } from './cases/index.ts';
import type { Case } from './core/case.ts';
import type { Target } from './core/target.ts';
import type { CaseResult } from './report/report.ts';
import { failureError } from './report/failure-error.ts';
import { inGroups } from './run/run-cases.ts';
import { openSession, type Session, type SessionOptions } from './run/session.ts';

export interface ConformanceTestsOptions extends Omit<SessionOptions, 'target' | 'cases' | 'signal'> {
  /** The prefix of every test name, such as `node, neutral`. */
  readonly name: string;
  /** Default: all cases. */
  readonly cases?: readonly Case[];
  /** Ids of cases that are known to fail. Their test fails if the case passes. Default: none. */
  readonly knownToFail?: readonly string[];
  readonly start: () => Promise<Target>;
  /** Called at the end with the results of all cases that ran, to report skips and to stop the target. */
  readonly end?: (results: readonly CaseResult[]) => void | Promise<void>;
}

/** Milliseconds for a test to wait for a slot and to run. The options have the limit of the case itself. */
const testTimeout = 900_000;

/**
 * Declares one Vitest test for each case. Every status other than a pass or a failure becomes a skip, with its reason
 * as the note. The last test fails if something could not be removed from the service.
 */
export function conformanceTests(options: ConformanceTestsOptions): void {
  const { name, start, end, cases = allCases, knownToFail = [], ...settings } = options;
  const results: CaseResult[] = [];
  let session: Session | undefined;
  let leftBehind: readonly string[] = [];
  describe(name, () => {
    beforeAll(async () => {
      session = openSession({ ...settings, cases, target: await start() });
    });
    afterAll(async () => {
      leftBehind = (await session?.close()) ?? [];
      await end?.(results);
      expect(leftBehind, 'everything that cases made is removed').toEqual([]);
    });
    describe.concurrent('cases', () => {
      for (const testCase of inGroups(cases)) {
        it(`${name}: ${testCase.id} (${testCase.requirements.join(', ')})`, { timeout: testTimeout }, async (test) => {
          if (session === undefined) throw new Error('nothing was started');
          const result = await session.run(testCase);
          results.push(result);
          if (knownToFail.includes(testCase.id)) {
            expect(result.status, 'it is known to fail').toBe('fail');
            test.skip(`known to fail: ${result.failure?.message ?? ''}`);
          }
          if (result.failure !== null) throw failureError(result, session.seed);
          if (result.status !== 'pass') test.skip(`${result.status}: ${result.reason ?? ''}`);
        });
      }
    });
  });
}
