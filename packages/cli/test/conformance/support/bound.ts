import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases, type CaseResult } from '@packhouse/conformance';
import { conformanceTests } from '@packhouse/conformance/vitest';
import { expect } from 'vitest';
import { serveTlsRemote, type TlsRemote } from '../../support/tls-remote.ts';
import type { DialectName, GivenSettings } from './deployment.ts';
import { makeTenants, type Tenants } from './tenants.ts';

/** A service with a probe beside its bindings. */
export interface BoundDeployment {
  readonly origin: string;
  readonly probeUrl: string;
  /** Stops it and removes what it kept. @throws if its log holds an entry of the level `error`. */
  stop(): Promise<void>;
}

export interface BoundOptions {
  readonly dialect: DialectName;
  readonly tenants: Tenants;
  /** Namespaces of the account `local` that there are bindings to. */
  readonly namespaces: readonly string[];
  /** Of the probe. */
  readonly secret: string;
  /** Beside those of every test. Default: none. */
  readonly settings?: GivenSettings;
  /** What the service is to trust, and may import from. Default: nothing inside. */
  readonly remote?: TlsRemote;
}

/** Starts the service of one runtime with its bindings. */
export type StartBound = (options: BoundOptions) => Promise<BoundDeployment>;

/** As many as cases run at once; also the names of the bindings. */
const namespaces = ['bound0', 'bound1', 'bound2', 'bound3'];

/** Runs the cases of the binding against one form of it, in both dialects. */
export function testBinding(form: string, start: StartBound): void {
  for (const dialect of ['neutral', 'cloudflare'] as const) {
    const name = `binding, ${form}, ${dialect}`;
    let deployment: BoundDeployment | undefined;
    let remote: TlsRemote | undefined;
    conformanceTests({
      name,
      environment: process.env,
      cases: cases.filter(({ needs }) => needs?.includes('binding') === true),
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
