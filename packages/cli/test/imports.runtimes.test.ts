/** Imports over TLS by the command itself, on each runtime, with its own sockets, name lookup and certificates. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSampleRepositories, runGit } from '@packhouse/fixtures';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiToken, runCli, startServer, type KillableServer } from './support/killable-server.ts';
import { serveTlsRemote, type TlsRemote } from './support/tls-remote.ts';

let folder: string;
let remote: TlsRemote;
let server: KillableServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-imports-'));
  makeSampleRepositories(join(folder, 'remotes'));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ import_allow: ['localhost'] }));
  remote = await serveTlsRemote(join(folder, 'remotes'));
  Object.assign(process.env, remote.environment);
});

afterEach(() => server.kill());

afterAll(async () => {
  for (const name of Object.keys(remote.environment)) delete process.env[name];
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly result: { readonly remote: string; readonly token: string } | null;
  readonly errors: readonly { readonly code: number }[];
}

async function imported(name: string, body: Record<string, unknown>): Promise<Reply> {
  const url = `${server.url}/v4/accounts/local/repos/namespaces/default/repos/${name}/import`;
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) };
}

function cloned(runtime: string, { result }: Reply, ...options: readonly string[]): string {
  const cwd = join(folder, `${runtime}-${options.length}.git`);
  const auth = ['-c', `http.extraHeader=Authorization: Bearer ${result?.token}`];
  runGit([...auth, 'clone', '--quiet', ...options, String(result?.remote), cwd]);
  runGit(['fsck', '--full', '--strict'], { cwd });
  return cwd;
}

const refsOf = (cwd: string): string =>
  runGit(['for-each-ref', '--format=%(objectname) %(refname)'], { cwd }).toString();

const inside = 'https://10.0.0.1/x/info/refs';

/** Truncates the pack. */
async function broken(reply: Response): Promise<Response> {
  const bytes = await reply.bytes();
  return new Response(bytes.subarray(0, -30), { headers: reply.headers });
}

/** Changes one byte in the pack. */
async function changed(reply: Response): Promise<Response> {
  const bytes = await reply.bytes();
  const at = bytes.length - 100;
  return new Response(bytes.with(at, 1 ^ Number(bytes[at])), { headers: reply.headers });
}

describe.each(['node', 'deno', 'bun', 'workerd'] as const)('imports on %s', (runtime) => {
  it('REPO-126 to REPO-131: bring existing repositories, and report missing ones', async () => {
    const config = join(folder, 'config.json');
    server = await startServer(join(folder, `data-${runtime}`), 0, runtime, config);
    const whole = await imported('whole', { url: `${remote.origin}/merges` });
    expect(whole.status).toBe(201);
    expect(refsOf(cloned(runtime, whole, '--mirror'))).toBe(refsOf(join(folder, 'remotes', 'merges.git')));
    const cut = await imported('cut', { url: `${remote.origin}/deltas.git`, branch: 'main', depth: 2 });
    const clone = cloned(runtime, cut, '--bare', '--no-tags');
    expect(runGit(['rev-list', '--count', 'main'], { cwd: clone }).toString()).toBe('2\n');

    const codeOf = async (url: string): Promise<unknown[]> => {
      const { status, errors } = await imported('none', { url });
      return [status, errors[0]?.code];
    };
    expect(await codeOf(`${remote.origin}/nowhere`)).toEqual([404, 10200]);
    // The same server, under a host that is not allowed.
    expect(await codeOf(`${remote.origin.replace('localhost', '127.0.0.1')}/merges`)).toEqual([400, 10104]);
    // No server listens there.
    expect(await codeOf('https://localhost:1/merges')).toEqual([502, 10401]);

    remote.answer('away', () => new Response(null, { status: 302, headers: { location: inside } }));
    expect(await codeOf(`${remote.origin}/away`)).toEqual([400, 10104]);
    for (const spoil of [broken, changed]) {
      remote.answer('contents', async (_, stock) => spoil(await stock()));
      expect(await codeOf(`${remote.origin}/contents`)).toEqual([502, 10401]);
    }
    expect(server.logged('"level":"error"')).toBe(0);
    await server.stop();
    if (runtime === 'workerd') return;
    const { status, stdout } = await runCli(['doctor', '--data', join(folder, `data-${runtime}`)]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('2 repo')]);
  });
});
