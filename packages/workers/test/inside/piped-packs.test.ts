import { StorageError, type PackId, type PackStore } from '@packhouse/git';
import { FaultyBucket } from '@packhouse/storage/testing';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRepo, type Repo } from './repo.ts';

/** Stored bytes: 46 frames. */
const size = 3_000_000;
const storedSize = size + 5 * Math.ceil(size / 65_515);

/** With the streams of the runtime itself, which are what a reply is made of. */
describe('workerd: a pack piped into a reply', () => {
  let repo: Repo;
  let id: PackId;
  beforeEach(async () => {
    repo = await newRepo();
    id = await repo.packs().reserve();
    await repo.packs().put(id, 'pack', [new Uint8Array(size).fill(7)]);
  });
  const pipe = async (packs: PackStore, writable: WritableStream<Uint8Array>): Promise<void> => {
    const { pipeTo } = packs.framed(id);
    if (pipeTo === undefined) throw new Error('There is no pipe');
    await pipeTo(writable);
  };
  const cut = (): PackStore => repo.packs({ bucket: new FaultyBucket(env.PACKS, () => 'cut') });

  it('GIT-069: stands between what is written before and after it', async () => {
    const { readable, writable } = new IdentityTransformStream();
    const reply = new Response(readable).arrayBuffer();
    const write = async (text: string): Promise<void> => {
      const writer = writable.getWriter();
      await writer.write(new TextEncoder().encode(text));
      writer.releaseLock();
    };
    await write('head');
    await pipe(repo.packs(), writable);
    await write('0000');
    await writable.close();
    const bytes = await reply;
    expect(bytes.byteLength).toBe(4 + storedSize + 4);
    expect(new TextDecoder().decode(bytes.slice(0, 9))).toBe('headfff0\u0001');
    expect(new TextDecoder().decode(bytes.slice(-4))).toBe('0000');
  });

  it('ends when the client leaves, with the reason of that', async () => {
    const { readable, writable } = new IdentityTransformStream();
    const reader = readable.getReader();
    const piping = pipe(repo.packs(), writable).catch((error: unknown) => error);
    await reader.read();
    await reader.cancel(new Error('the client left'));
    expect(await piping).toMatchObject({ name: 'StorageError', cause: { message: 'the client left' } });
    await expect(writable.getWriter().write(Uint8Array.of(1))).rejects.toThrow('the client left');
  });

  it('leaves the reply open when the bucket breaks, so that it can report the error', async () => {
    const { readable, writable } = new IdentityTransformStream();
    const reply = new Response(readable).arrayBuffer();
    await expect(pipe(cut(), writable)).rejects.toThrow(StorageError);
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('0005\u0003'));
    await writer.close();
    const bytes = await reply;
    expect(bytes.byteLength).toBeLessThan(storedSize);
    expect(new TextDecoder().decode(bytes.slice(-5))).toBe('0005\u0003');
  });
});
