import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@packhouse/fixtures';
import { beyondBudget } from '@packhouse/workers/budget';
import { startLocalWorkerd, type LocalLogLine } from '@packhouse/workers/local';
import type { StartBound } from './bound.ts';
import { configurationOf } from './configuration.ts';
import { checkLog } from './deployment.ts';

const entry = fileURLToPath(new URL('../../../../workers/test/app/probe.ts', import.meta.url));

/** Runs the service in workerd, with a second Worker that has service bindings to it and the probe. */
export const boundInWorkerd: StartBound = async ({ dialect, tenants, namespaces, secret, remote, settings }) => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-binding-workerd-'));
  const faults: LocalLogLine[] = [];
  // Remotes contain it.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { api_tokens: apiTokens, ...config } = configurationOf(tenants, { dialect, public_url: url, ...settings });
  const bound = namespaces.map((namespace) => [namespace, { account: 'local', namespace }] as const);
  const workerd = await startLocalWorkerd({
    host: '127.0.0.1',
    port,
    folder,
    config,
    authorities: remote === undefined ? [] : [Buffer.from(remote.authority).toString()],
    apiTokens: apiTokens as readonly object[],
    apps: [
      {
        name: 'probe',
        entry,
        repos: Object.fromEntries(bound),
        objects: { PROBES: 'Probe' },
        vars: { SECRET: secret },
      },
    ],
    log(line) {
      if (line['level'] === 'error' || beyondBudget(line) !== undefined) faults.push(line);
    },
  });
  return {
    origin: url,
    probeUrl: (await workerd.appUrl('probe')).href,
    async stop() {
      await workerd.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      checkLog(faults);
    },
  };
};
