import type { LogRecord } from '@packhouse/base';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { pushRequest } from '../store/steps.ts';

const failures: LogRecord[] = [];
const mock = createMock({
  baseUrl: 'https://api.example.test',
  seed: { namespaces: ['empty'], repos: { notes: { files: { 'a.txt': 'a\n', 'b.bin': new Uint8Array(2_000_000) } } } },
  settings: { cors_origins: ['https://app.example.test'] },
  log: (record) => void (record.event === 'failure' && failures.push(record)),
});
const url = `${mock.restUrl}/namespaces`;
const headers = { authorization: 'Bearer any' };

describe('replies through MSW and fetch', () => {
  const server = setupServer(...mock.handlers);
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  afterEach(() => {
    expect(failures).toEqual([]);
    return mock.store.reset();
  });

  it('a reply to HEAD has no body, and the headers of GET', async () => {
    const [head, get] = [await fetch(url, { method: 'HEAD', headers }), await fetch(url, { headers })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    await get.body?.cancel();
  });

  it('replies 204 and 304 have no body', async () => {
    const gone = await fetch(`${url}/empty`, { method: 'DELETE', headers });
    expect([gone.status, await gone.text()]).toEqual([204, '']);
    const file = await fetch(`${url}/default/repos/notes/raw/main/a.txt`, { headers });
    const etag = file.headers.get('etag') ?? '';
    expect([await file.text(), etag]).toEqual(['a\n', expect.stringMatching(/^".+"$/)]);
    const same = await fetch(file.url, { headers: { ...headers, 'if-none-match': etag } });
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
  });

  it('a preflight of Git is answered', async () => {
    const preflight = await fetch(`${mock.store.remote('notes')}/info/refs`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.test', 'access-control-request-method': 'GET' },
    });
    expect([preflight.ok, preflight.headers.get('access-control-allow-origin')]).toEqual([
      true,
      'https://app.example.test',
    ]);
  });

  it('options of fetch change nothing', async () => {
    for (const init of [
      { keepalive: true },
      { credentials: 'include' },
      { redirect: 'error' },
      { cache: 'no-store' },
    ] as const) {
      expect((await fetch(url, { headers, ...init })).status).toBe(200);
    }
  });

  it('an aborted request, by stream or signal, harms no other request', async () => {
    const path = `${url}/default/repos/notes/raw/main/b.bin`;
    const first = await fetch(path, { headers });
    const reader = first.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
    const left = new AbortController();
    const second = await fetch(path, { headers, signal: left.signal });
    left.abort();
    await expect(second.arrayBuffer()).rejects.toThrow('abort');
    expect((await (await fetch(path, { headers })).arrayBuffer()).byteLength).toBe(2_000_000);
  });

  it('an aborted push changes nothing', async () => {
    const [secret = ''] = (await mock.store.createToken('notes')).split('?');
    const before = await mock.store.inspect.refs('notes');
    const { body, ...push } = pushRequest(mock, 'notes', 'more', secret);
    const bytes = new Uint8Array(await new Response(body ?? null).arrayBuffer());
    const left = new AbortController();
    const half = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.subarray(0, bytes.length - 30));
        setTimeout(() => left.abort(), 5);
      },
    });
    const init: RequestInit & { readonly duplex: 'half' } = {
      ...push,
      body: half,
      duplex: 'half',
      signal: left.signal,
    };
    await expect(fetch(push.url, init)).rejects.toThrow('abort');
    expect(await mock.store.inspect.refs('notes')).toEqual(before);
    expect((await fetch(push.url, { ...push, body: bytes })).status).toBe(200);
    expect(await mock.store.inspect.refs('notes')).toHaveProperty('refs/heads/more');
  });
});
