import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { neutral } from '@packhouse/hosting';
import { memoryTagStores } from '@packhouse/tagging';
import { describe, expect, it, vi } from 'vitest';
import { editToken, testService } from '../test-service.test.util.ts';

const mebi = 1_048_576;

/** Makes a service whose requests share 10 MiB of memory and never wait for more. */
function smallService() {
  const engine = createGitEngine({ codec: nodeCodec(), memory: 10 * mebi, pageCache: 0, wait: async () => {} });
  return { engine, ...testService({ dialect: neutral, engine, tags: memoryTagStores() }) };
}

interface Stalled {
  readonly body: ReadableStream<Uint8Array>;
  readonly send: (bytes: number) => void;
  readonly finish: () => void;
}

/** Makes a body that sends the first `bytes` characters of a JSON string. `send` adds more, and `finish` ends it. */
function stalled(bytes: number): Stalled {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      given.enqueue(Buffer.from(`"${'x'.repeat(bytes)}`));
    },
  });
  const send = (more: number): void => controller?.enqueue(Buffer.from('x'.repeat(more)));
  const finish = (): void => {
    controller?.enqueue(Buffer.from('"'));
    controller?.close();
  };
  return { body, send, finish };
}

const base = '/v4/accounts/a1';
const routes = [
  ['POST', `${base}/repos/namespaces`, editToken],
  ['PUT', `${base}/tags`, 'tag-write'],
] as const;

describe.each(routes)('LIM-080: the body of a %s to %s', (method, path, token) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  it('reserves memory while it arrives, and is refused if no memory is left', async () => {
    const { engine, send } = smallService();
    const bodies = [stalled(1_000_000), stalled(1_000_000)];
    const begun = bodies.map(({ body }) => send(path, { method, headers, body, duplex: 'half' } as RequestInit));
    await expect.poll(() => engine.admission.reserved).toBe(8 * 1_000_001);
    const third = stalled(1_000_000);
    const refused = await send(path, { method, headers, body: third.body, duplex: 'half' } as RequestInit);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    for (const { finish } of bodies) finish();
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([400, 400]);
    expect(engine.admission.reserved).toBe(0);
  });

  it('reserves more memory as more bytes arrive, up to what the longest body needs', async () => {
    const { engine, send } = smallService();
    const { body, send: sendMore, finish } = stalled(19_999);
    const begun = send(path, { method, headers, body, duplex: 'half' } as RequestInit);
    await expect.poll(() => engine.admission.reserved).toBe(80_000);
    sendMore(1);
    await expect.poll(() => engine.admission.reserved).toBe(160_000);
    sendMore(600_000);
    await expect.poll(() => engine.admission.reserved).toBe(4 * 620_001);
    sendMore(1);
    await expect.poll(() => engine.admission.reserved).toBe(4 * mebi);
    finish();
    expect((await begun).status).toBe(400);
    expect(engine.admission.reserved).toBe(0);
  });

  it('reserves memory for its announced length before it is read, except for a short body', async () => {
    const { engine, send } = smallService();
    let isRead = false;
    const sized = (length: number): void => {
      const body = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
      const sizedHeaders = { ...headers, 'content-length': String(length) };
      void send(path, { method, headers: sizedHeaders, body, duplex: 'half' } as RequestInit);
    };
    sized(10_000);
    await expect.poll(() => isRead).toBe(true);
    expect(engine.admission.reserved).toBe(0);
    sized(20_000);
    await expect.poll(() => engine.admission.reserved).toBe(80_000);
  });
});

describe('LIM-080: the memory of a large reply', () => {
  const description = 'ä'.repeat(60_000);
  const list = `${base}/repos/namespaces/team/repos?limit=2`;
  const headers = { authorization: `Bearer ${editToken}` };
  const settings = { description_max: 65_536 };

  async function withRepos() {
    const engine = createGitEngine({ codec: nodeCodec(), memory: 5 * mebi, pageCache: 0 });
    const service = testService({ dialect: neutral, engine, settings });
    for (const name of ['one', 'two']) {
      const { status } = await service.call('POST', '/namespaces/team/repos', { name, description });
      expect(status).toBe(201);
    }
    return { engine, ...service, reserved: () => engine.admission.reserved };
  }

  it('stays reserved until the client has read the reply', async () => {
    const { send, reserved } = await withRepos();
    const response = await send(list, { headers });
    const length = Number(response.headers.get('content-length'));
    expect([reserved(), response.body !== null]).toEqual([length, true]);
    const { result } = (await response.json()) as { result: { description: string }[] };
    expect(result.map((repo) => repo.description === description)).toEqual([true, true]);
    expect(reserved()).toBe(0);
  });

  it('is released when the client disconnects, and is not reserved for HEAD', async () => {
    const { send, reserved } = await withRepos();
    const reader = (await send(list, { headers })).body?.getReader();
    await reader?.read();
    expect(reserved()).toBeGreaterThan(240_000);
    await reader?.cancel();
    expect(reserved()).toBe(0);
    expect(Number((await send(list, { headers, method: 'HEAD' })).headers.get('content-length'))).toBeGreaterThan(1);
    expect(reserved()).toBe(0);
  });

  it('is not reserved after a change, since the client must get the reply', async () => {
    const { engine, call } = await withRepos();
    const asked = vi.spyOn(engine.admission, 'reserveAtOnce');
    const { status, text } = await call('POST', '/namespaces/team/repos', { name: 'three', description });
    expect([status, text.includes(description)]).toEqual([201, true]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('is refused while other clients have not read their replies', async () => {
    const { send, reserved } = await withRepos();
    const replies = await Promise.all(Array.from({ length: 30 }, () => send(list, { headers })));
    expect(replies.map(({ status }) => status).filter((status) => status === 503).length).toBeGreaterThan(3);
    expect(reserved()).toBeLessThanOrEqual(5 * mebi);
    await Promise.all(replies.map((reply) => reply.body?.cancel()));
    expect((await send(list, { headers })).status).toBe(200);
  });
});
