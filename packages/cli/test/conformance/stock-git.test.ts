import { cases, selectCases, type CaseResult } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import type { Target } from '@packhouse/conformance';
import { stockGit } from './support/stock-git.ts';

let target: Target | undefined;
conformanceTests({
  name: 'stock git',
  environment: process.env,
  cases: selectCases(cases, (process.env['CASES'] ?? 'git/*').split(' ')),
  async start() {
    target = await stockGit();
    return target;
  },
  async end(results: readonly CaseResult[]) {
    await target?.close?.();
    for (const r of results) if (r.status !== 'pass') console.log(r.status, r.id, r.milliseconds, r.reason ?? r.failure?.message.slice(0, 200));
  },
});
