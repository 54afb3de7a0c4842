import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { neutral } from '@packhouse/hosting';
import { memoryTagStores } from '@packhouse/storage';
import { describe, expect, it } from 'vitest';
import { editToken, testService } from '../test-service.test.util.ts';

const mebi = 1_048_576;

/** A service whose requests hold 10 MiB together, and wait for no time. */
function smallService() {
  const engine = createGitEngine({ codec: nodeCodec(), memory: 10 * mebi, pageCache: 0, wait: async () => {} });
  return { engine, ...testService({ dialect: neutral, engine, tags: memoryTagStores() }) };
}

/** A body that sends `bytes` of a string of JSON, and its rest when told to. */
function stalled(bytes: number): { body: ReadableStream<Uint8Array>; finish: () => void } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      given.enqueue(Buffer.from(`"${'x'.repeat(bytes)}`));
    },
  });
  const finish = (): void => {
    controller?.enqueue(Buffer.from('"'));
    controller?.close();
  };
  return { body, finish };
}

const base = '/v4/accounts/a1';
const routes = [
  ['POST', `${base}/repos/namespaces`, editToken],
  ['PUT', `${base}/tags`, 'tag-write'],
] as const;

describe.each(routes)('LIM-080: the body of a %s to %s', (method, path, token) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  it('holds memory while it comes, and is refused where there is none', async () => {
    const { engine, send } = smallService();
    const bodies = [stalled(20_000), stalled(20_000)];
    const begun = bodies.map(({ body }) => send(path, { method, headers, body, duplex: 'half' } as RequestInit));
    await expect.poll(() => engine.admission.reserved).toBe(8 * mebi);
    const third = stalled(20_000);
    const refused = await send(path, { method, headers, body: third.body, duplex: 'half' } as RequestInit);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    for (const { finish } of bodies) finish();
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([400, 400]);
    expect(engine.admission.reserved).toBe(0);
  });

  it('holds what its length says before any of it is read, and nothing if that is little', async () => {
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
