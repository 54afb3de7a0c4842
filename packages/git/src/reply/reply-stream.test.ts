import { expect, it } from 'vitest';
import { frameBand } from '../wire/side-band.ts';
import { borrowChunks, Handover, replyStream } from './reply-stream.ts';

const broken = new Error('disk');

async function* pieces(before: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Uint8Array.of(1);
  await before;
  throw broken;
}

it('GIT-071: a failure ends the reply with the last bytes, or breaks it off', async () => {
  const told: unknown[] = [];
  const stream = (last: Uint8Array | undefined): ReadableStream<Uint8Array> =>
    replyStream(pieces(Promise.resolve()), {
      keepAlive: undefined,
      failure: (error) => {
        told.push(error);
        return last;
      },
    });
  expect([...new Uint8Array(await new Response(stream(Uint8Array.of(2)) as BodyInit).arrayBuffer())]).toEqual([1, 2]);
  await expect(new Response(stream(undefined) as BodyInit).arrayBuffer()).rejects.toThrow();
  expect(told).toEqual([broken, broken]);
});

it('tells nothing of what fails after the client has left', async () => {
  let fail: () => void = () => {};
  const gate = new Promise<void>((resolve) => (fail = resolve));
  const told: unknown[] = [];
  const reader = replyStream(pieces(gate), {
    keepAlive: undefined,
    failure: (error) => void told.push(error),
  }).getReader();
  await reader.read();
  const next = reader.read();
  const left = reader.cancel();
  fail();
  await left;
  expect((await next).done).toBe(true);
  expect(told).toEqual([]);
});

it('says once when all was taken, and nothing where the reply failed or its reader left', async () => {
  const ended: string[] = [];
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Uint8Array.of(1);
    yield Uint8Array.of(2);
  }
  const stream = (name: string, source: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> =>
    replyStream(source, {
      keepAlive: undefined,
      failure: () => Uint8Array.of(3),
      finished: () => void ended.push(name),
    });
  await new Response(stream('whole', whole()) as BodyInit).arrayBuffer();
  await new Response(stream('failed', pieces(Promise.resolve())) as BodyInit).arrayBuffer();
  const reader = stream('left', whole()).getReader();
  await reader.read();
  await reader.cancel();
  expect(ended).toEqual(['whole']);
});

it('waits for the work behind a reply when the reader leaves, also before it has read', async () => {
  const work = Promise.withResolvers<void>();
  const order: string[] = [];
  const stream = replyStream(pieces(Promise.resolve()), {
    keepAlive: undefined,
    failure: () => undefined,
    work: work.promise.then(() => void order.push('work ended')),
  });
  const left = stream.cancel().then(() => order.push('left'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  work.resolve();
  await left;
  expect(order).toEqual(['work ended', 'left']);
});

it('lends its chunks from the moment its reader borrows them, and not before', async () => {
  const handover = new Handover();
  const buffers: ArrayBufferLike[] = [];
  async function* payload(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let i = 0; i < 8; i++) yield new Uint8Array(1_000_000).fill(i);
  }
  const stream = replyStream(frameBand(payload(), 'side-band-64k', handover), {
    handover,
    keepAlive: undefined,
    failure: () => undefined,
  });
  const reader = stream.getReader();
  const next = async (): Promise<number> => {
    const { value } = await reader.read();
    buffers.push((value as Uint8Array).buffer);
    return buffers.indexOf(value?.buffer as ArrayBufferLike);
  };
  expect([await next(), await next(), await next()]).toEqual([0, 1, 2]);
  expect(borrowChunks(stream)).toBe(true);
  expect([await next(), await next(), await next()]).toEqual([3, 3, 3]);
  await reader.cancel();
});

it('lends nothing of a stream that is not a reply', () => {
  expect(borrowChunks(new ReadableStream())).toBe(false);
});
