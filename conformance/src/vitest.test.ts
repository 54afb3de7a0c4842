import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { CaseResult } from './report/report.ts';
import { fakeService } from './run/fake-service.test.util.ts';
import { madeUp } from './run/made-up-case.test.util.ts';
import { conformanceTests } from './vitest.ts';

const ended: string[][] = [];

describe('cases as tests', () => {
  conformanceTests({
    name: 'made up, neutral',
    start: async () => fakeService({ configured: async () => fakeService().target }).target,
    end: (results: readonly CaseResult[]) => void ended.push(results.map(({ id, status }) => `${status} ${id}`).sort()),
    concurrency: 1,
    knownToFail: ['a/known'],
    cases: [
      madeUp(async () => assert.fail('no'), { id: 'a/known' }),
      madeUp(async (t) => void (await t.createRepo()), {
        id: 'a/settings',
        settings: { site: 'XYZ' },
        needs: ['settings'],
      }),
      madeUp(async () => undefined, { id: 'a/passes', requirements: ['GIT-003', 'REPO-007'] }),
    ],
  });

  it('report the results at their end', () => {
    expect(ended).toEqual([['fail a/known', 'pass a/passes', 'pass a/settings']]);
  });
});
