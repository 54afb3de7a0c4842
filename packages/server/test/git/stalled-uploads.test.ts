/** LIM-020 for the whole service: what uploads hold that stall, and that it is given back. */

import { createGitEngine, type GitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { packet, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { afterEach, expect, it, vi } from 'vitest';
import { memoryService } from '../support/memory-service.ts';
import { client, cutAll, run, until, type Client } from '../support/running-sockets.ts';
import type { ServedRequest } from '../../src/http/sockets.ts';

const mebibyte = 1024 * 1024;

interface Stage {
  readonly port: number;
  readonly engine: GitEngine;
  readonly failures: readonly unknown[];
  readonly served: readonly ServedRequest[];
  readonly repo: { readonly remote: string; readonly token: string };
}

afterEach(async () => {
  vi.useRealTimers();
  await cutAll();
});

/** The service in memory behind the sockets of the runtime, with one repo. */
async function open(memory: number): Promise<Stage> {
  const failures: unknown[] = [];
  const engine = createGitEngine({ codec: nodeCodec(), memory });
  const service = Promise.withResolvers<(request: Request) => Promise<Response>>();
  const { port, served } = await run(async (request) => await (await service.promise)(request));
  service.resolve(memoryService(engine, `http://127.0.0.1:${port}`, failures));
  const made = await fetch(`http://127.0.0.1:${port}/v4/accounts/local/repos/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'stalled' }),
  });
  const { result } = (await made.json()) as { result: Stage['repo'] };
  return { port, engine, failures, served, repo: result };
}

/** Sends the begin of a request and no more. */
function stall(port: number, path: string, headers: Readonly<Record<string, string>>, begin: Uint8Array): Client {
  const one = client(port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  one.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100000\r\n${lines.join('')}\r\n`,
  );
  one.socket.write(begin);
  return one;
}

const first = change('first');
const whole = pushBody([set('refs/heads/stalled', first)], pack(...first.all));

/** Begins of uploads: inside the commands, inside the pack, and inside a request of a fetch or of REST. */
function stallEach({ port, repo }: Stage): Client[] {
  const git = new URL(repo.remote).pathname;
  const credential = { authorization: `Bearer ${repo.token}` };
  const type = (service: string): Record<string, string> => ({
    ...credential,
    'content-type': `application/x-${service}-request`,
  });
  const rest = { authorization: 'Bearer x', 'content-type': 'application/json' };
  return [
    stall(port, `${git}/git-receive-pack`, type('git-receive-pack'), whole.subarray(0, 30)),
    stall(port, `${git}/git-receive-pack`, type('git-receive-pack'), whole.subarray(0, -30)),
    stall(port, `${git}/git-upload-pack`, type('git-upload-pack'), packet(`want ${first.oid}\n`)),
    stall(port, '/v4/accounts/local/repos/namespaces/default/repos', rest, Buffer.from('{"name":')),
  ];
}

it('LIM-020: a stalled push, fetch or REST request gets 408 and gives back its memory', async () => {
  const stage = await open(64 * mebibyte);
  const { engine, failures, served } = stage;
  expect((await push(stage.repo, [set('refs/heads/main', first)], pack(...first.all)))[0]).toBe('unpack ok');
  const before = engine.admission.reserved;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stalled = stallEach(stage);
  await until(() => engine.admission.reserved > before);
  // Each begins to wait for its next bytes when it has come so far.
  await until(() => {
    vi.advanceTimersByTime(60_000);
    return stalled.every(({ text }) => text() !== '');
  });
  for (const { text } of stalled) expect(text()).toMatch(/^HTTP\/1\.1 408 /);
  await until(() => engine.admission.reserved <= before);
  vi.advanceTimersByTime(10_000);
  for (const { socket } of stalled) socket.destroy();
  vi.useRealTimers();
  await until(() => served.filter(({ status }) => status === 408).length === stalled.length);
  expect(failures).toEqual([]);
  const second = change('second');
  const report = await push(stage.repo, [set('refs/heads/second', second)], pack(...second.all));
  expect(report).toEqual(['unpack ok', 'ok refs/heads/second']);
});

it('LIM-020: a hundred stalled uploads hold little memory, and other requests go on', async () => {
  const stage = await open(64 * mebibyte);
  const { port, repo, engine } = stage;
  const path = `${new URL(repo.remote).pathname}/git-receive-pack`;
  const headers = { authorization: `Bearer ${repo.token}`, 'content-type': 'application/x-git-receive-pack-request' };
  const before = stage.served.length;
  const stalled = Array.from({ length: 100 }, () => stall(port, path, headers, whole.subarray(0, 30)));
  await until(() => engine.admission.reserved >= 100 * 64 * 1024);
  // A quarter of a mebibyte each, which is counted before the first byte is read.
  expect(engine.admission.reserved).toBeLessThanOrEqual(26 * mebibyte);
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([health.status, await health.text()]).toEqual([200, '{"status":"ok"}']);
  expect(await push(repo, [set('refs/heads/main', first)], pack(...first.all))).toEqual([
    'unpack ok',
    'ok refs/heads/main',
  ]);
  // None of them was answered meanwhile.
  expect(stalled.map(({ text }) => text()).join('')).toBe('');
  for (const { socket } of stalled) socket.destroy();
  await until(() => stage.served.length >= before + 100 && engine.admission.reserved <= 2 * mebibyte);
});
