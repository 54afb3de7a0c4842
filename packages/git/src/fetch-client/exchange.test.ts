import { Scheduler } from '../work/scheduler.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf } from '../wire/packets.test.util.ts';
import { getDiscovery, postRequest, type Connection, type Fetch } from './exchange.ts';
import { Patience } from './patience.ts';

const advertisement = 'application/x-git-upload-pack-advertisement';
let patience: Patience;
beforeEach(() => {
  patience = new Patience({ idle: 10_000, total: 10_000 });
});
afterEach(() => patience.end());

const connect = (fetch: Fetch, url = 'https://remote.example/team/repo'): Connection => ({
  fetch,
  url: new URL(url),
  agent: 'packhouse/1.2.3',
  work: new Scheduler().begin(),
  patience,
});
const replying = (init: ResponseInit, body: BodyInit | null = 'hello'): Fetch => {
  return async () => new Response(body, init);
};

describe('exchange', () => {
  it.each([
    ['https://remote.example/team/repo', 'https://remote.example/team/repo/info/refs?service=git-upload-pack'],
    ['https://remote.example/team/repo.git/', 'https://remote.example/team/repo.git/info/refs?service=git-upload-pack'],
    ['https://remote.example/?x=y#z', 'https://remote.example/info/refs?service=git-upload-pack'],
    ['https://remote.example/a%20b', 'https://remote.example/a%20b/info/refs?service=git-upload-pack'],
  ])('asks below %s', async (url, asked) => {
    const requests: Request[] = [];
    const fetch: Fetch = async (request) => {
      requests.push(request);
      return new Response('', { headers: { 'content-type': advertisement } });
    };
    await getDiscovery(connect(fetch, url));
    const [request] = requests as [Request];
    expect([request.url, request.method, request.redirect]).toEqual([asked, 'GET', 'manual']);
    expect(request.headers.get('git-protocol')).toBe('version=2');
    expect(request.headers.get('user-agent')).toBe('git/packhouse-1.2.3');
  });

  it.each([0, 1, 2] as const)('sends a request of version %i', async (version) => {
    const fetch: Fetch = async (request) => {
      expect(request.url).toBe('https://remote.example/team/repo/git-upload-pack');
      expect(request.headers.get('content-type')).toBe('application/x-git-upload-pack-request');
      expect(request.headers.get('git-protocol')).toBe(version === 0 ? null : `version=${version}`);
      expect(await request.text()).toBe('0000');
      return new Response('pack', { headers: { 'content-type': 'Application/X-git-upload-pack-result; charset=x' } });
    };
    const body = await postRequest(connect(fetch), version, new TextEncoder().encode('0000'));
    expect((await bytesOf(body)).toString()).toBe('pack');
  });

  it.each([
    [400, 'not a remote'],
    [401, 'authentication'],
    [403, 'authentication'],
    [404, 'not found'],
    [405, 'not a remote'],
    [410, 'not found'],
    [418, 'not a remote'],
    [429, 'failing'],
    [500, 'failing'],
    [503, 'failing'],
    [206, 'not a remote'],
  ])('REPO-126, REPO-127, REPO-128: a status of %i is %s', async (status, code) => {
    const fetch = replying({ status, headers: { 'content-type': advertisement } });
    await expect(getDiscovery(connect(fetch))).rejects.toMatchObject({ code, status });
  });

  it('REPO-126: something else that answers is no remote', async () => {
    for (const headers of [
      { 'content-type': 'text/html' },
      { 'content-type': 'text/plain; charset=utf-8' },
      undefined,
    ]) {
      const fetch = replying(headers === undefined ? {} : { headers }, new Uint8Array(3));
      await expect(getDiscovery(connect(fetch))).rejects.toMatchObject({ code: 'not a remote', status: 200 });
    }
  });

  it.each([
    ['https://other.example/x/info/refs?service=git-upload-pack', 'https://other.example/x'],
    ['/moved.git/info/refs?service=git-upload-pack', 'https://remote.example/moved.git'],
    ['http://127.0.0.1/x/info/refs', 'http://127.0.0.1/x'],
    ['https://other.example/login', undefined],
    ['https://[broken', undefined],
  ])('REPO-129: reports a redirect to %s without following it', async (location, moved) => {
    const fetch = replying({ status: 301, headers: { location } });
    const error: unknown = await getDiscovery(connect(fetch)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'redirected', status: 301 });
    expect((error as { location?: URL }).location?.href).toBe(moved);
    const post = postRequest(connect(fetch), 2, new Uint8Array(0));
    await expect(post).rejects.toMatchObject({ code: 'redirected', location: undefined });
  });

  it('REPO-128: reports a missing reply without details', async () => {
    const fetch: Fetch = () => Promise.reject(new TypeError('connect ECONNREFUSED 10.0.0.1:443'));
    const run = getDiscovery(connect(fetch));
    await expect(run).rejects.toMatchObject({ code: 'unreachable', message: 'the remote cannot be reached' });
  });

  it('REPO-128: reports a broken connection', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('reset'));
      },
    });
    const reply = await getDiscovery(connect(replying({ headers: { 'content-type': advertisement } }, body)));
    await expect(bytesOf(reply)).rejects.toMatchObject({ code: 'broken off' });
  });

  it('lets go of a body that is not read to its end, and of one that is not read at all', async () => {
    let cancelled = 0;
    const body = () =>
      new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(9)), cancel: () => void cancelled++ });
    const reply = await getDiscovery(connect(replying({ headers: { 'content-type': advertisement } }, body())));
    for await (const chunk of reply) if (chunk.length > 0) break;
    expect(cancelled).toBe(1);
    await getDiscovery(connect(replying({ status: 404 }, body()))).catch(() => {});
    expect(cancelled).toBe(2);
  });
});
