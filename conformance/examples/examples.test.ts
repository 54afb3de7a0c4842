/** The suite against servers that are not ours, compared with the reports that we keep of them. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cases, findTarget, runCases, selectCases, type WantedTarget } from '@packhouse/conformance';
import { afterAll, expect, it } from 'vitest';
import errorsReport from './reports/errors-alone.json' with { type: 'json' };
import tagsReport from './reports/tags-alone.json' with { type: 'json' };
import { errorsAlone } from './servers/errors-alone.ts';
import { account, tagsAlone, token } from './servers/tags-alone.ts';

interface ExpectedReport {
  readonly pass: number;
  readonly skipped: number;
  /** Cases that neither pass nor are skipped, with the reason in the code or the documents of the server. */
  readonly others: Readonly<Record<string, { readonly status: string; readonly why: string }>>;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function started(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Expects that these cases end against a target as the report says. */
async function expectReport(wanted: WantedTarget, pattern: string, expected: ExpectedReport): Promise<void> {
  const found = await findTarget(wanted);
  if (found.kind !== 'target') throw new Error(`the server was taken for ${found.kind}`);
  // Some cases send a sample of their rows, by the seed.
  const report = await runCases({ target: found.target, cases: selectCases(cases, [pattern]), seed: 7 });
  const others = report.cases.filter(({ status }) => status !== 'pass' && status !== 'skipped');
  const statuses = Object.entries(expected.others).map(([id, { status }]) => [id, status]);
  expect(Object.fromEntries(others.map(({ id, status }) => [id, status]))).toEqual(Object.fromEntries(statuses));
  const { pass, skipped } = report.counts;
  expect({ pass, skipped }).toEqual({ pass: expected.pass, skipped: expected.skipped });
  expect(report.left_behind).toEqual([]);
}

it('judges an app with tags alone as its report says', { timeout: 120_000 }, async () => {
  const origin = await started(tagsAlone());
  await expectReport({ name: 'tags alone', origin, account, apiToken: token }, 'tags/*', tagsReport);
});

it('judges an app with errors alone as its report says', { timeout: 120_000 }, async () => {
  const origin = await started(errorsAlone());
  const alone = { account: '', apiToken: '', areas: ['errors'], zone: origin, zoneAlone: true } as const;
  await expectReport({ name: 'errors alone', origin, ...alone }, 'errors/*', errorsReport);
});
