import { cases, dialectSample, type Case, type CaseResult, type Target } from '@packhouse/conformance';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { runGit, sampleSeed } from '@packhouse/fixtures';
import { expect } from 'vitest';
import type { Deployment, DialectName, GivenSettings, StartDeployment } from './deployment.ts';
import { authority, serveTlsRemote, type TlsRemote } from '../../support/tls-remote.ts';
import { makeTenants } from './tenants.ts';

export interface TestRuntimeOptions {
  /** Ids of failing cases, each listed in SHORTCOMINGS.md. Default: none. */
  readonly knownToFail?: readonly string[];
  /** Cases that run at once. Default: that of the suite. */
  readonly concurrency?: number;
  /** Cases to run in `neutral`. Default: all. */
  readonly neutral?: readonly Case[];
  /** Cases to run in `cloudflare`. Default: a sample; none at each commit, where Node runs it. */
  readonly cloudflare?: readonly Case[];
}

/** Runs the suite against a runtime. */
export function testRuntime(runtime: string, start: StartDeployment, options: TestRuntimeOptions = {}): void {
  const inCloudflare = sampleSeed() === undefined ? dialectSample(cases) : [];
  const { knownToFail = [], concurrency, neutral = cases, cloudflare = inCloudflare } = options;
  const plan = { neutral, cloudflare };
  for (const dialect of ['neutral', 'cloudflare'] as const) {
    const planned = plan[dialect].filter(needsServiceAlone);
    if (planned.length === 0) continue;
    const name = `${runtime}, ${dialect}`;
    let deployment: Deployment | undefined;
    let remote: TlsRemote | undefined;
    conformanceTests({
      name,
      environment: { ...process.env, GIT_SSL_CAINFO: authority },
      knownToFail,
      ...(concurrency !== undefined && { concurrency }),
      cases: planned,
      async start() {
        remote = await serveTlsRemote(mkdtempSync(join(tmpdir(), 'packhouse-remote-')));
        makeRepository(join(remote.folder, 'public.git'));
        const trusting: StartDeployment = (options) => start({ ...options, remote });
        deployment = await trusting({ dialect, tenants, settings: {} });
        return targetOf(name, dialect, deployment, trusting, remote);
      },
      async end(results) {
        console.log(outcome(name, results));
        await deployment?.stop();
        await remote?.close();
        if (remote !== undefined) rmSync(remote.folder, { recursive: true, force: true });
        expect(unexpected(results), 'no case is skipped or unsupported without our knowing').toEqual([]);
      },
    });
  }
}

/**
 * Separate tests cover cases that need a program next to the service (binding/*.test.ts), or a repository that exists
 * (examples.runtimes.test.ts).
 */
function needsServiceAlone({ needs = [] }: Case): boolean {
  return !needs.includes('binding') && !needs.includes('repo to read');
}

const tenants = makeTenants();

function targetOf(
  name: string,
  dialect: DialectName,
  { origin, stop }: Deployment,
  start: StartDeployment,
  importRemote: TlsRemote,
): Target {
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
    importRemote,
    importUrl: `${importRemote.origin}/public`,
    async configured(settings: GivenSettings) {
      const another = await start({ dialect, tenants, settings });
      return targetOf(`${name}, ${JSON.stringify(settings)}`, dialect, another, start, importRemote);
    },
    close: stop,
  };
}

/** Makes a bare repository with a branch and a tag. */
function makeRepository(cwd: string): void {
  runGit(['init', '--quiet', '--bare', '--initial-branch=trunk', cwd]);
  const input =
    'commit refs/heads/trunk\ncommitter A <a@x> 0 +0000\ndata 0\nreset refs/tags/v1\nfrom refs/heads/trunk\n';
  runGit(['fast-import', '--quiet'], { cwd, input });
}

/** Returns cases that were skipped although this test supports them, or that report a missing feature which exists. */
function unexpected(results: readonly CaseResult[]): readonly string[] {
  return results
    .filter(({ status, reason }) => {
      if (status === 'skipped') return reason?.startsWith('needs ') === true;
      return status === 'unsupported';
    })
    .map(({ id, status, reason }) => `${status} ${id}: ${reason ?? ''}`);
}

/** Describes the outcome: no skip is silent, and slow cases are visible. */
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
