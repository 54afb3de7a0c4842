import { cases, type CaseResult, type Target } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { expect } from 'vitest';
import type { Deployment, DialectName, GivenSettings, StartDeployment } from './deployment.ts';
import { makeTenants } from './tenants.ts';

/** Runs the whole suite against a runtime in both dialects. `knownToFail`: ids of cases, each told of in SHORTCOMINGS.md. */
export function testRuntime(runtime: string, start: StartDeployment, knownToFail: readonly string[] = []): void {
  for (const dialect of ['neutral', 'cloudflare'] as const) {
    const name = `${runtime}, ${dialect}`;
    let deployment: Deployment | undefined;
    conformanceTests({
      name,
      environment: process.env,
      knownToFail,
      // They need a program beside the service: binding/*.test.ts.
      cases: cases.filter(({ needs }) => needs?.includes('binding') !== true),
      async start() {
        deployment = await start({ dialect, tenants, settings: {} });
        return targetOf(name, dialect, deployment, start);
      },
      async end(results) {
        console.log(outcome(name, results));
        await deployment?.stop();
        expect(unexpected(results), 'no case is skipped or unsupported without our knowing').toEqual([]);
      },
    });
  }
}

const tenants = makeTenants();

function targetOf(name: string, dialect: DialectName, { origin, stop }: Deployment, start: StartDeployment): Target {
  return {
    name,
    origin,
    dialect,
    account: 'local',
    apiToken: tenants.apiToken,
    readToken: tenants.readToken,
    other: { account: 'other', apiToken: tenants.otherApiToken },
    zone: origin,
    zoneId: 'zone-local',
    async configured(settings: GivenSettings) {
      const another = await start({ dialect, tenants, settings });
      return targetOf(`${name}, ${JSON.stringify(settings)}`, dialect, another, start);
    },
    close: stop,
  };
}

/** Cases that lacked something which a runtime's tests are given, or found something gone that is built. */
function unexpected(results: readonly CaseResult[]): readonly string[] {
  return results
    .filter(({ status, reason }) => {
      if (status === 'skipped') return reason?.startsWith('needs ') === true;
      return status === 'unsupported';
    })
    .map(({ id, status, reason }) => `${status} ${id}: ${reason ?? ''}`);
}

/** Nothing is skipped in silence, and slow cases are to be seen. */
function outcome(name: string, results: readonly CaseResult[]): string {
  const passed = results.filter(({ status }) => status === 'pass');
  const other = results.filter(({ reason }) => reason !== null);
  const slowest = [...results].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 3);
  return [
    `${name}: ${passed.length} of ${results.length} cases pass`,
    ...other.map(({ id, status, reason }) => `  ${status} ${id}: ${reason ?? ''}`),
    `  slowest: ${slowest.map(({ id, milliseconds }) => `${id} ${milliseconds} ms`).join(', ')}`,
  ].join('\n');
}
