import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { respond } from '@packhouse/problem-details';
import { type RunningEntry, runtimeNames } from './runtimes/running-entry.ts';
import { startEntry } from './runtimes/start-entry.ts';

const json = { 'Content-Type': 'application/problem+json' };
const error = await respond(new Request('https://shop.example/', { headers: { Accept: 'application/json' } }), 1015);
const body = await error.text();
error.headers.delete('Content-Length');

/** Replies of a server, by path. */
const replies: Readonly<Record<string, [status: number, headers: Record<string, string>, body: string]>> = {
  '/error': [error.status, Object.fromEntries(error.headers), body],
  '/relative': [400, json, '{"type":"errors/7","title":7}'],
  '/page': [503, { 'Content-Type': 'text/html' }, '<title>Down</title>'],
  '/long': [400, json, `{"title":"${'x'.repeat(200_000)}"}`],
};

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, headers, text] = replies[request.url ?? ''] ?? [404, {}, ''];
    // Sent in two parts, so that its length is not known in advance.
    response.writeHead(status, headers);
    response.write(text.slice(0, 20));
    setImmediate(() => response.end(text.slice(20)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe.each(runtimeNames)('a client on %s', (runtime) => {
  let entry: RunningEntry;
  beforeAll(async () => {
    entry = await startEntry(runtime, new URL('patient-client.ts', import.meta.url));
  });
  afterAll(() => entry.close());

  const told = async (path: string): Promise<unknown> =>
    (await fetch(entry.url, { headers: { 'X-Target': `${base}${path}` } })).json();

  it('reads a platform error, and leaves the response readable', async () => {
    expect(await told('/error')).toEqual({
      problem: JSON.parse(body) as unknown,
      isPlatformError: true,
      wait: 30_000,
      left: body.length,
    });
  });

  it('reads other problems, and resolves a relative type', async () => {
    const problem = { type: `${base}/errors/7` };
    expect(await told('/relative')).toEqual({ problem, isPlatformError: false, left: 29 });
  });

  it('returns undefined for a page and for a body that is too long, and leaves them readable', async () => {
    expect(await told('/page')).toEqual({ isPlatformError: false, left: 19 });
    expect(await told('/long')).toEqual({ isPlatformError: false, left: 200_012 });
  });

  it('prints nothing', () => {
    expect([...entry.lines(), ...entry.errors()]).toEqual([]);
  });
});
