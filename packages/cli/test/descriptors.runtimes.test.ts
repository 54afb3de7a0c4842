/** LIM-021 with few descriptors: clients with idle connections cannot keep a push from opening its files. */

import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { pushBody, reportOf, set } from '@packhouse/conformance/tools/wire-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type Server } from './commands/program.ts';

const descriptors = 256;
const idleConnections = 300;
const apiToken = 'test-token-that-is-long-enough-0123456789';

let root: string | undefined;
let server: Server | undefined;
let held: Socket[] = [];

afterEach(() => {
  for (const socket of held) socket.destroy();
  held = [];
  server?.child.kill('SIGKILL');
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

/** Opens a connection, sends a request, and stays connected. */
function hold(port: number): void {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  held.push(socket);
}

/** Posts over a kept connection. Like other clients, uses a new one if the server has just closed it. */
function post(agent: Agent, url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
      response.on('error', reject);
    });
    request.on('error', (error) => {
      if (request.reusedSocket) resolve(post(agent, url, headers, body));
      else reject(error);
    });
    request.end(body);
  });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.runIf(process.platform === 'linux').each(['node', 'deno', 'bun'])('serve --runtime %s', (runtime) => {
  it('LIM-021: accepts pushes while there are more idle connections than descriptors', async () => {
    root = mkdtempSync(join(tmpdir(), 'packhouse-descriptors-'));
    const args = ['--data', join(root, 'data'), '--runtime', runtime];
    server = await startServer(args, { PACKHOUSE_API_TOKEN: apiToken }, undefined, descriptors);
    const { url } = server.ready;
    const port = Number(new URL(url).port);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const repos = `${url}/v4/accounts/local/repos/namespaces/default/repos`;
    const json = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
    const made = JSON.parse(String(await post(agent, repos, json, Buffer.from('{"name":"hello"}'))));
    const { remote, token } = made.result as { remote: string; token: string };

    for (let i = 0; i < idleConnections; i++) hold(port);
    const closed = (): number => held.filter(({ destroyed }) => destroyed).length;
    await until(() => closed() > idleConnections - descriptors + 20);

    const type = { authorization: `Bearer ${token}`, 'content-type': 'application/x-git-receive-pack-request' };
    // Too large for rows of the database.
    const large = blob(noise(4_000_000, 1));
    const folder = tree({ large });
    const node = commit('large', folder);
    const body = pushBody([set('refs/heads/main', node)], pack(node, folder, large));
    expect(reportOf(await post(agent, `${remote}/git-receive-pack`, type, body))).toEqual([
      'unpack ok',
      'ok refs/heads/main',
    ]);

    for (const socket of held) socket.destroy();
    const isReady = (): Promise<boolean> =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady);
    agent.destroy();
    expect(server.err()).not.toContain('"level":"error"');
    expect(await server.stop()).toBe(0);
  });
});
