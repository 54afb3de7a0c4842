/**
 * LIM-080 on each runtime: hostile pushes and stalled uploads stay inside `memory_max`, and small requests still work.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { reportOf } from '@packhouse/conformance/tools/wire-client';
import { addStar, commandBody, largestObject, packWithCommit, pushBody } from '@packhouse/fixtures/hostile';
import { afterEach, describe, expect, it } from 'vitest';
import { apiToken, startServer, type KillableServer } from './support/killable-server.ts';

const mebibyte = 1024 * 1024;
const memoryMax = 512 * mebibyte;
const main = 'refs/heads/main';

let root: string | undefined;
let server: KillableServer | undefined;
let held: Socket[] = [];

afterEach(async () => {
  for (const socket of held) socket.destroy();
  held = [];
  await server?.kill();
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

interface Repo {
  readonly remote: string;
  readonly token: string;
}

async function createRepo(url: string, name: string): Promise<Repo> {
  const reply = await fetch(`${url}/v4/accounts/local/repos/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await reply.json()) as { result: Repo }).result;
}

/** Sends one request of Git. Returns the status, and the report or text. */
async function post(
  { remote, token }: Repo,
  service: 'git-receive-pack' | 'git-upload-pack',
  body: Uint8Array,
): Promise<readonly [number, string]> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `application/x-${service}-request`,
    'git-protocol': 'version=2',
  };
  const reply = await fetch(`${remote}/${service}`, { method: 'POST', headers, body: new Uint8Array(body) });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isReport = reply.status === 200 && service === 'git-receive-pack';
  return [reply.status, isReport ? reportOf(bytes).join('; ') : bytes.toString()];
}

/** Sends only the beginning of a large push. */
function stall({ remote, token }: Repo, bytes: Uint8Array): Promise<void> {
  const { hostname, port, pathname } = new URL(remote);
  const socket = connect(Number(port), hostname);
  held.push(socket);
  socket.on('error', () => undefined).resume();
  socket.write(
    `POST ${pathname}/git-receive-pack HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/x-git-receive-pack-request\r\nContent-Length: 90000000\r\n\r\n`,
  );
  return new Promise((resolve) => {
    // Some requests wait before their body is read.
    setTimeout(resolve, 2000);
    socket.write(bytes, () => resolve());
  });
}

function peakMemory(pid: number | undefined): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

async function start(runtime: 'node' | 'deno' | 'bun'): Promise<KillableServer> {
  root = mkdtempSync(join(tmpdir(), 'packhouse-memory-'));
  const config = join(root, 'packhouse.json');
  writeFileSync(config, JSON.stringify({ memory_max: memoryMax }));
  server = await startServer(join(root, 'data'), 0, runtime, config);
  return server;
}

const small = ((): { readonly body: Uint8Array; readonly list: Uint8Array } => {
  const file = blob('small\n');
  const node = commit('small', tree({ file }));
  return {
    body: pushBody([{ ref: main, to: node.oid }], pack(node, tree({ file }), file), 'report-status side-band-64k'),
    list: commandBody('ls-refs', [`ref-prefix ${main}`]),
  };
})();

const refusedForMemory = /^(unpack )?not enough memory( now, try again)?: \d+ bytes, limit \d+ \(memory_max\)/;

describe.runIf(process.platform === 'linux').each(['node', 'deno', 'bun'] as const)(
  'serve --runtime %s',
  { timeout: 600_000 },
  (runtime) => {
    it('LIM-080: accepts or refuses 24 parallel pushes, each of which grows a thousandfold', async () => {
      const { url, process: child } = await start(runtime);
      const repos = await Promise.all(Array.from({ length: 24 }, (_, i) => createRepo(url, `r${i}`)));
      const quiet = await createRepo(url, 'quiet');
      expect((await post(quiet, 'git-receive-pack', small.body))[0]).toBe(200);
      const star = packWithCommit((made) => addStar(made, largestObject, 3));
      const body = pushBody([{ ref: main, to: star.commit }], star.pack, 'report-status side-band-64k');
      const pushes = Promise.all(repos.map((repo) => post(repo, 'git-receive-pack', body)));
      const meanwhile = [];
      for (let i = 0; i < 5; i++) {
        meanwhile.push((await fetch(`${url}/healthz`)).status, (await post(quiet, 'git-upload-pack', small.list))[0]);
      }
      expect(meanwhile).toEqual(meanwhile.map(() => 200));
      const replies = await pushes;
      const taken = replies.filter(([, text]) => text.startsWith('unpack ok'));
      expect(taken.length).toBeGreaterThan(0);
      for (const reply of replies) if (!taken.includes(reply)) expect(reply[1]).toMatch(refusedForMemory);
      expect(peakMemory(child.pid)).toBeLessThan(memoryMax);
    });

    it.each([
      [100, 6_000_000],
      [500, 2_000_000],
    ])(
      'LIM-080: holds %i stalled uploads of %i bytes inside the limit, and works normally after they end',
      async (count, size) => {
        const { url, process: child } = await start(runtime);
        const repo = await createRepo(url, 'stalled');
        const quiet = await createRepo(url, 'quiet');
        expect((await post(quiet, 'git-receive-pack', small.body))[0]).toBe(200);
        const star = packWithCommit((made) => void made.whole('blob', Buffer.alloc(10)));
        const begun = pushBody([{ ref: main, to: star.commit }], star.pack, 'report-status side-band-64k');
        const body = Buffer.concat([begun.subarray(0, -30), Buffer.alloc(size, 'x')]);
        await Promise.all(Array.from({ length: count }, () => stall(repo, body)));
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        expect((await post(quiet, 'git-upload-pack', small.list))[0]).toBe(200);
        expect(peakMemory(child.pid)).toBeLessThan(memoryMax);
        for (const socket of held) socket.destroy();
        const again = await createRepo(url, 'again');
        expect(await post(again, 'git-receive-pack', small.body)).toEqual([200, `unpack ok; ok ${main}`]);
      },
    );
  },
);
