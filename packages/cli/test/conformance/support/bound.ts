import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases, groupSample, type CaseResult } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { sampleSeed } from '@packhouse/fixtures';
import { expect } from 'vitest';
import { serveTlsRemote, type TlsRemote } from '../../support/tls-remote.ts';
import type { DialectName, GivenSettings } from './deployment.ts';
import { makeTenants, type Tenants } from './tenants.ts';

/** A service with a probe for its bindings. */
export interface BoundDeployment {
  readonly origin: string;
  readonly probeUrl: string;
  /**
   * Stops the service and removes its data.
   *
   * @throws if its log has an entry of the level `error`.
   */
  stop(): Promise<void>;
}

export interface BoundOptions {
  readonly dialect: DialectName;
  readonly tenants: Tenants;
  /** The namespaces of the account `local` that have bindings. */
  readonly namespaces: readonly string[];
  /** The secret of the probe. */
  readonly secret: string;
  /** Settings in addition to those of every test. Default: none. */
  readonly settings?: GivenSettings;
  /** A remote that the service trusts and may import from. Default: none. */
  readonly remote?: TlsRemote;
}

/** Starts the service with its bindings on one runtime. */
export type StartBound = (options: BoundOptions) => Promise<BoundDeployment>;

/** One for each case that runs at once. The bindings have the same names. */
const namespaces = ['bound0', 'bound1', 'bound2', 'bound3'];

/**
 * Runs the binding cases against one form of the binding, in both dialects. A sample is of one dialect.
 *
 * @param whole the first extent that runs all of them.
 */
export function testBinding(form: string, start: StartBound, whole: 'commit' | 'all' = 'all'): void {
  const seed = sampleSeed(whole);
  const dialects = (['neutral', 'cloudflare'] as const).filter((_, i) => seed === undefined || seed % 2 === i);
  const bindingCases = cases.filter(({ needs }) => needs?.includes('binding') === true);
  for (const dialect of dialects) {
    const name = `binding, ${form}, ${dialect}`;
    let deployment: BoundDeployment | undefined;
    let remote: TlsRemote | undefined;
    conformanceTests({
      name,
      environment: process.env,
      cases: groupSample(bindingCases, seed),
      async start() {
        const [tenants, secret] = [makeTenants(), randomBytes(24).toString('hex')];
        remote = await serveTlsRemote(mkdtempSync(join(tmpdir(), 'packhouse-remote-')));
        deployment = await start({ dialect, tenants, namespaces, secret, remote });
        const { origin, probeUrl } = deployment;
        return {
          name,
          origin,
          dialect,
          account: 'local',
          apiToken: tenants.apiToken,
          binding: { url: probeUrl, secret },
          importRemote: remote,
        };
      },
      async end(results) {
        await deployment?.stop();
        await remote?.close();
        if (remote !== undefined) rmSync(remote.folder, { recursive: true, force: true });
        expect(notPassed(results), 'no case is skipped without our knowing').toEqual([]);
      },
    });
  }
}

function notPassed(results: readonly CaseResult[]): readonly string[] {
  return results.flatMap(({ id, status, reason }) =>
    status === 'skipped' || status === 'unsupported' ? [`${status} ${id}: ${reason ?? ''}`] : [],
  );
}
