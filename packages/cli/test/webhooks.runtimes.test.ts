/**
 * The webhook sink over TLS by the command itself, on each runtime, with its own sockets, name lookup and certificates.
 */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@packhouse/fixtures';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiToken, runCli, startServer, type KillableServer } from './support/killable-server.ts';
import { serveTlsRemote, type TlsRemote } from './support/tls-remote.ts';

const secrets = [32, 64].map((bytes) => `whsec_${randomBytes(bytes).toString('base64')}`);

interface Taken {
  readonly text: string;
  readonly headers: Record<string, string>;
}

let folder: string;
let remote: TlsRemote;
let server: KillableServer;
const taken: Taken[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-webhooks-'));
  mkdirSync(join(folder, 'remotes'));
  remote = await serveTlsRemote(join(folder, 'remotes'));
  Object.assign(process.env, remote.environment);
  remote.answer('hook', async (request) => {
    taken.push({ text: await request.text(), headers: Object.fromEntries(request.headers) });
    return new Response('thanks');
  });
  // A redirect must not lead to an address that is not allowed.
  remote.answer('moved', () => Response.redirect(`${remote.origin}/hook/x`, 307));
});

afterEach(async () => {
  taken.length = 0;
  await server.kill();
});

afterAll(async () => {
  for (const name of Object.keys(remote.environment)) delete process.env[name];
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

type Runtime = 'node' | 'deno' | 'bun' | 'workerd';

async function start(runtime: Runtime, name: string, url: string, ...allowed: string[]): Promise<string> {
  const data = join(folder, `data-${runtime}-${name}`);
  const config = join(folder, `${runtime}-${name}.json`);
  const settings = {
    webhook_url: url,
    webhook_secrets: secrets,
    webhook_allow: ['localhost', ...allowed],
    events_kept: 60,
  };
  writeFileSync(config, JSON.stringify(settings));
  server = await startServer(data, 0, runtime, config);
  const body = JSON.stringify({ name: 'told' });
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
  const repos = `${server.url}/v4/accounts/local/repos/namespaces/default/repos`;
  expect((await fetch(repos, { method: 'POST', headers, body })).status).toBe(201);
  return data;
}

const soon = { timeout: 10_000, interval: 20 };

it('docs/operating.md: the receiver accepts only messages signed with its secret', async () => {
  const manual = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const [, source = ''] = /```js\n(import \{ createHmac.*?)```/s.exec(manual) ?? [];
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, source);
  const port = await freePort();
  const receiver = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secrets[1], PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  receiver.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  try {
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined), soon).toBeDefined();
    const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const refused = { method: 'POST', body: '{}', headers: { ...forged, 'webhook-signature': 'v1,AAAA' } };
    expect((await fetch(`http://127.0.0.1:${port}/`, refused)).status).toBe(401);
    await start('node', 'receiver', `http://127.0.0.1:${port}/`, '127.0.0.1');
    await expect.poll(() => out.split('\n').length, soon).toBe(3);
    expect(out).toMatch(
      /^repos\.repo\.created default\/told \{"repoId".*\nrepos\.repo\.token\.created default\/told .*\n$/,
    );
  } finally {
    receiver.kill();
  }
});

describe.each(['node', 'deno', 'bun', 'workerd'] as const)('webhooks on %s', (runtime) => {
  it('REPO-200: are signed so that standardwebhooks accepts them, with any of the secrets', async () => {
    const data = await start(runtime, 'taken', `${remote.origin}/hook/x`);
    await expect.poll(() => taken.length, soon).toBe(2);
    for (const { text, headers } of taken) {
      for (const secret of secrets) expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
    }
    expect(server.logged('"level":"warn"')).toBe(0);
    if (runtime === 'workerd') return;
    const tail = async (): Promise<string> => (await runCli(['events', 'tail', '--data', data])).stdout;
    await expect
      .poll(tail, soon)
      .toMatch(/^\S+ {2}repos\.repo\.created {2}default\/told\n\S+ {2}repos\.repo\.token\.created.*\n$/);
    await expect.poll(tail, soon).not.toContain('(waiting)');
  });

  it.each([
    // The same sink, under a name that is not allowed.
    ['to an address that is not public', '127.0.0.1', 'hook', 'not public'],
    ['on by a redirect', 'localhost', 'moved', 'answered 307'],
  ])('REPO-201: are not sent %s', async (what, host, path, reason) => {
    const url = `${remote.origin.replace('localhost', host)}/${path}/hidden-word`;
    await start(runtime, what.replaceAll(' ', '-'), url);
    await expect.poll(() => server.logged(reason), soon).toBe(1);
    expect([taken.length, server.logged('hidden-word'), server.logged('"level":"error"')]).toEqual([0, 0, 0]);
  });
});
