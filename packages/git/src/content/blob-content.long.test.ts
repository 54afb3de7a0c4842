import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blobKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { idOf, type MadeEntry } from '../pack/made-pack.test.util.ts';
import type { PackRecord } from '../ports/repo-state.ts';
import { createGitEngine, type GitRepository } from '../engine/engine.ts';
import type { BlobContent } from './blob-content.ts';
import { ContentReader } from './content-reader.ts';

function blobOf(body: Uint8Array): MadeObject {
  return { kind: blobKind, body, id: idOf({ kind: blobKind, body }), links: [] };
}

interface Opened {
  readonly repository: MaintainedRepository;
  /** Bytes of memory that are taken, and whether the packs are held. */
  readonly held: () => readonly [bytes: number, packs: boolean];
  /** State of the streams that were opened on the store. */
  readonly streams: string[];
  /** A test sets the error that a stream of the store throws at its second chunk. */
  fault: Error | undefined;
  open(object: MadeObject): Promise<BlobContent>;
}

/** A repository of these blobs, each stored as told, in rows or in the store. */
async function repositoryOf(entries: readonly (MadeEntry & MadeObject)[], where: 'rows' | 'store'): Promise<Opened> {
  const streams: string[] = [];
  const opened: { fault: Error | undefined } = { fault: undefined };
  const watched = ({ state, packs }: GitRepository): GitRepository => ({
    state,
    packs: new Proxy(packs, {
      get(target, name) {
        if (name !== 'stream') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return async function* (...given: Parameters<typeof packs.stream>) {
          const at = streams.push('open') - 1;
          let chunks = 0;
          try {
            for await (const chunk of target.stream(...given)) {
              if (++chunks === 2 && opened.fault !== undefined) throw opened.fault;
              yield chunk;
            }
          } finally {
            streams[at] = 'closed';
          }
        };
      },
    }),
  });
  const repository = new MaintainedRepository(128 * 1024, watched);
  const root = tree(entries.map((object, i) => ({ name: `f${i}`, object })));
  const node = commit(root, [], 1);
  await repository.push([{ ref: 'refs/heads/main', new: node }], [...entries, root, node]);
  if (where === 'store') await repository.maintain({ mode: 'full' });
  expect(repository.state.packs.map((pack) => pack.where)).toEqual([where]);
  const engine = createGitEngine({ codec: nodeCodec(), pageCache });
  const { id } = repository.state.packs[0] as PackRecord;
  streams.length = 0;
  return Object.assign(opened, {
    repository,
    streams,
    // The pages stay counted until their memory is needed.
    held: () => [engine.admission.reserved % pageCache, engine.leases.has(id)] as const,
    async open(object: MadeObject) {
      const reader = await ContentReader.open(engine, repository.repository, repository.state.current, {
        hiddenRefs: [],
      });
      const blob = (await reader.blob(object.id as ObjectId)) as BlobContent;
      reader.release();
      expect(engine.leases.has(id)).toBe(true);
      return blob;
    },
  });
}

/** No part of a request is as large. */
const pageCache = 64 * 1024 * 1024;

const free = [0, false];
const none = (error: unknown): never => {
  throw error;
};

async function bytesOf(blob: BlobContent): Promise<Buffer> {
  return Buffer.from(await new Response((await blob.body(none)) as BodyInit).arrayBuffer());
}

const mebi = 1024 * 1024;
const noise = blobOf(randomBytes(3 * mebi + 7));
const zeros = blobOf(Buffer.alloc(9 * mebi + 1));
const version = Buffer.from(noise.body);
version.writeUInt32BE(7, mebi);
const delta = { ...blobOf(version), base: noise, by: 'offset' as const };

describe('REPO-152: a blob that streams', () => {
  it.each(['rows', 'store'] as const)('comes whole and lets go of everything, from %s', async (where) => {
    const small = where === 'rows' ? [zeros] : [noise, zeros, delta];
    const opened = await repositoryOf(small, where);
    for (const object of small) {
      const blob = await opened.open(object);
      expect([blob.size, blob.hash]).toEqual([object.body.length, object.id]);
      expect((await bytesOf(blob)).equals(object.body)).toBe(true);
      expect(opened.held()).toEqual(free);
    }
    expect(opened.streams.every((state) => state === 'closed')).toBe(true);
  });

  it.each([1, 8192, 65_536, 65_537, 200_000, 1e9])(
    'tells its first %i bytes, and brings them again',
    async (length) => {
      const opened = await repositoryOf([noise, delta], 'store');
      for (const object of [noise, delta]) {
        const blob = await opened.open(object);
        expect(Buffer.compare(await blob.head(length), object.body.subarray(0, length))).toBe(0);
        expect((await bytesOf(blob)).equals(object.body)).toBe(true);
        expect(opened.held()).toEqual(free);
      }
    },
  );

  it('reads nothing before it is asked to', async () => {
    const opened = await repositoryOf([noise], 'store');
    const blob = await opened.open(noise);
    expect([blob.size, opened.streams]).toEqual([noise.body.length, []]);
    await blob.release();
    expect(opened.held()).toEqual(free);
    await blob.release();
  });

  it('holds little memory while its client is slow, for any size', async () => {
    const opened = await repositoryOf([noise, zeros], 'store');
    for (const object of [noise, zeros]) {
      const blob = await opened.open(object);
      const reader = ((await blob.body(none)) as ReadableStream<Uint8Array>).getReader();
      for (let i = 0; i < 3; i++) await reader.read();
      expect(opened.held()[0]).toBeLessThanOrEqual(mebi);
      expect(opened.held()[1]).toBe(true);
      await reader.cancel();
      expect(opened.held()).toEqual(free);
    }
    await expect.poll(() => opened.streams).toEqual(['closed', 'closed']);
  });

  it('holds what a delta makes, and no more, while its client takes its time', async () => {
    const opened = await repositoryOf([noise, delta], 'store');
    const reader = ((await (await opened.open(delta)).body(none)) as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    expect(opened.held()[0]).toBeGreaterThanOrEqual(delta.body.length);
    expect(opened.held()[0]).toBeLessThanOrEqual(delta.body.length + mebi);
    await reader.cancel();
    expect(opened.held()).toEqual(free);
  });

  it.each([
    ['before it takes anything', 0, 0],
    ['after a look at it', 8192, 0],
    ['amid it', 0, 2],
    ['amid it after a look', 100_000, 1],
  ])('lets go of everything when its client leaves %s', async (_, head, reads) => {
    const opened = await repositoryOf([noise, delta], 'store');
    for (const object of [noise, delta]) {
      const blob = await opened.open(object);
      if (head > 0) await blob.head(head);
      const body = (await blob.body(none)) as ReadableStream<Uint8Array>;
      const reader = body.getReader();
      for (let i = 0; i < reads; i++) await reader.read();
      await reader.cancel();
      expect(opened.held()).toEqual(free);
      await expect.poll(() => opened.streams.every((state) => state === 'closed')).toBe(true);
    }
  });

  it('lets go of everything when it is released after a look at it', async () => {
    const opened = await repositoryOf([noise], 'store');
    const blob = await opened.open(noise);
    await blob.head(8192);
    await blob.release();
    expect([opened.held(), opened.streams]).toEqual([free, ['closed']]);
  });

  it('breaks off if the store fails, reports it, and releases everything', async () => {
    const opened = await repositoryOf([noise], 'store');
    opened.fault = new Error('the disk is gone');
    const blob = await opened.open(noise);
    const failures: unknown[] = [];
    const body = await blob.body((error) => void failures.push(error));
    await expect(new Response(body as BodyInit).arrayBuffer()).rejects.toThrow('the disk is gone');
    expect([failures, opened.held()]).toEqual([[opened.fault], free]);
    const again = await opened.open(noise);
    await expect(again.head(1e9)).rejects.toThrow('the disk is gone');
    await again.release();
    expect(opened.held()).toEqual(free);
  });

  it.each([
    ['is cut short', (bytes: Uint8Array, end: number) => bytes.fill(0, end - 1_000_000, end)],
    ['has other bytes', (bytes: Uint8Array, end: number) => bytes.set([(bytes[end - 10] as number) ^ 0x55], end - 10)],
    ['has no header', (bytes: Uint8Array, _: number, start: number) => bytes.set([0], start)],
  ])('breaks off when its entry %s', async (_, damage) => {
    const opened = await repositoryOf([noise], 'store');
    const { id } = opened.repository.state.packs[0] as PackRecord;
    const { set } = await opened.repository.freshView();
    const graph = set.packs[0]?.graph;
    const ordinal = graph?.sizes.indexOf(noise.body.length) ?? -1;
    const bytes = opened.repository.store.files.get(`${id}.pack`) as Uint8Array;
    damage(bytes, graph?.offsets[ordinal + 1] as number, graph?.offsets[ordinal] as number);
    const failures: unknown[] = [];
    const body = await (await opened.open(noise)).body((error) => void failures.push(error));
    await expect(new Response(body as BodyInit).arrayBuffer()).rejects.toThrow();
    expect([failures.length, opened.held()]).toEqual([1, free]);
  });
});
