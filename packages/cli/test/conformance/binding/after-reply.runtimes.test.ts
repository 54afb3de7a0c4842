import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { serveTlsRemote } from '../../support/tls-remote.ts';
import { boundInWorkerd } from '../support/bound-workerd.ts';
import { makeTenants } from '../support/tenants.ts';

const secret = 'a-secret-of-the-probe-0123456789';

it('BIND-021, REPO-132: an import over RPC goes on after its reply', { timeout: 60_000 }, async () => {
  const remote = await serveTlsRemote(mkdtempSync(join(tmpdir(), 'packhouse-remote-')));
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', 'slow.git'], { cwd: remote.folder });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  remote.answer('slow', async (_, stock) => {
    await released;
    return await stock();
  });
  const options = { dialect: 'neutral', tenants: makeTenants(), namespaces: ['bound0'], secret, remote } as const;
  const deployment = await boundInWorkerd({ ...options, settings: { sync_wait: 0 } });
  const call = async (name: string, ...args: readonly unknown[]): Promise<object> => {
    const body = JSON.stringify({ namespace: 'bound0', act: 'call', name, args });
    const headers = { 'binding-probe-secret': secret, connection: 'close' };
    return (await (await fetch(deployment.probeUrl, { method: 'POST', headers, body })).json()) as object;
  };
  try {
    const params = { source: { url: `${remote.origin}/slow` }, target: { name: 'slow' } };
    expect(await call('import', params)).toMatchObject({ outcome: 'resolved', value: { name: 'slow' } });
    expect(await call('get', 'slow')).toMatchObject({ error: { own: { code: 'IMPORT_IN_PROGRESS' } } });
    release();
    await expect.poll(() => call('get', 'slow'), { timeout: 20_000 }).toMatchObject({ outcome: 'resolved' });
  } finally {
    release();
    await deployment.stop();
    await remote.close();
    rmSync(remote.folder, { recursive: true, force: true });
  }
});
