import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine } from '../engine/engine.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { closure, historyOf, type MadeObject } from '../maintain/made-history.test.util.ts';
import { RandomHistory } from '../maintain/random-history.test.util.ts';
import { copy, insert, madePack, someEntries, varint, type MadeEntry } from '../pack/made-pack.test.util.ts';
import { MemoryStore } from '../pack/memory-store.test.util.ts';
import { PackError } from '../pack/pack-error.ts';
import type { IncomingPack } from '../pack/receive/incoming-pack.ts';
import { indexIncomingPack } from '../pack/receive/index-incoming.ts';
import type { ReceivingThread, ReceivingThreads } from '../pack/receive/receiving-threads.ts';
import type { PackStore } from '../ports/pack-store.ts';
import { Scheduler } from '../work/scheduler.ts';
import { LocalThreads, withPaths } from './local-threads.test.util.ts';
import { nodeReceivingThreads } from './node.ts';

const codec = nodeCodec();
const partSize = 64;

async function received(bytes: Uint8Array, store: PackStore, threads?: ReceivingThreads): Promise<IncomingPack> {
  const source = (async function* chunks() {
    yield bytes;
  })();
  return indexIncomingPack(source, {
    codec,
    store,
    threads,
    blobMax: 1 << 25,
    objectMax: 1 << 25,
    commitMax: 1 << 20,
    chainMax: 2 ** 31,
    chainDepthMax: 4095,
    memoryMax: 64 << 20,
    work: new Scheduler().begin(),
    strict: true,
    stored: () => undefined,
    storedNumber: () => -1,
    visit: () => undefined,
  });
}

/** All that a pack says of its objects. */
async function contentOf(pack: IncomingPack): Promise<unknown> {
  const { index, kinds, sizes, bases } = pack;
  const ids = Array.from({ length: index.count }, (_, i) => index.id(i));
  return {
    ids,
    kinds: [...kinds],
    sizes: [...sizes],
    bases: [...bases],
    idx: Buffer.from(await pack.idx()).toString('hex'),
  };
}

/** Makes the packs of a store known to threads by files. */
function onDisk(store: MemoryStore): PackStore & MemoryStore {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-threads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return Object.assign(store, {
    path(id: string): string {
      const path = join(folder, id);
      writeFileSync(path, store.files.get(`${id}.pack`) as Uint8Array);
      return path;
    },
  });
}

/** Records what threads answer. */
function watchedThreads(threads: ReceivingThreads): { threads: ReceivingThreads; answers: unknown[] } {
  const answers: unknown[] = [];
  const recorded = async <T>(answer: Promise<T>): Promise<T> => {
    answers.push(await answer);
    return answer;
  };
  const start = (): ReceivingThread | undefined => {
    const thread = threads.start();
    return (
      thread && {
        resolve: (job) => recorded(thread.resolve(job)),
        collect: (job) => recorded(thread.collect(job)),
        end: () => thread.end(),
      }
    );
  };
  return { threads: { ...threads, start }, answers };
}

const headSize = 20;

/** A family of blobs, each a delta of the one before it. They differ in their first bytes. */
function family(sizes: readonly number[]): readonly MadeEntry[] {
  const entries: MadeEntry[] = [];
  for (const [i, size] of sizes.entries()) {
    const body = Buffer.alloc(size, 'x');
    body.write(`number ${i} of ${size}`.padEnd(headSize));
    const base = entries.at(-1);
    entries.push(
      base === undefined ? { kind: 3, body } : { kind: 3, body, base, by: 'offset', delta: deltaOf(base, body) },
    );
  }
  return entries;
}

function deltaOf({ body: base }: MadeEntry, body: Uint8Array): Uint8Array {
  const delta = [...varint(base.length), ...varint(body.length), ...insert(body.subarray(0, headSize))];
  for (let at = headSize; at < body.length;) {
    const length = Math.min(base.length - headSize, body.length - at);
    delta.push(...copy(headSize, length));
    at += length;
  }
  return Uint8Array.from(delta);
}

describe('GIT-195: a pack that a thread helps with', () => {
  test.prop([someEntries()], { numRuns: runs(60) })('has the same content as without', async (entries) => {
    const { bytes } = madePack(entries);
    const store = withPaths(new MemoryStore(partSize));
    const threads = new LocalThreads(store, codec);
    const [pack, alone] = [await received(bytes, store, threads), await received(bytes, new MemoryStore(partSize))];
    expect(await contentOf(pack)).toEqual(await contentOf(alone));
    await pack.release();
    expect(threads.ended).toBe(threads.started);
  });

  test.prop([someEntries(), fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: runs(100) })(
    'is refused if it is refused without',
    async (entries, at, bits) => {
      const { bytes } = madePack(entries);
      const place = at % (bytes.length - 20);
      bytes[place] = (bytes[place] as number) ^ bits;
      bytes.set(codec.sha1Of(bytes.subarray(0, -20)), bytes.length - 20);
      const store = withPaths(new MemoryStore(partSize));
      const threads = new LocalThreads(store, codec);
      const outcome = (pack: Promise<IncomingPack>): Promise<unknown> =>
        pack.then(contentOf, (error: unknown) => error instanceof PackError || error);
      expect(await outcome(received(bytes, store, threads))).toEqual(
        await outcome(received(bytes, new MemoryStore(partSize))),
      );
      if (threads.ended < threads.started) expect(store.files.size).toBe(1);
      else expect(store.files.size + store.reserved.size).toBe(0);
    },
  );

  it('leaves objects of more than a mebibyte to the thread that receives', async () => {
    const large = 1_200_000;
    const entries = [
      ...family([900, large, 800, 700]),
      ...family([large + 5, 600, 500]),
      ...family([100, 110, 120, large + 9, large + 10]),
    ];
    const { bytes } = madePack(entries);
    const store = withPaths(new MemoryStore(partSize));
    const pack = await received(bytes, store, new LocalThreads(store, codec));
    expect(await contentOf(pack)).toEqual(await contentOf(await received(bytes, new MemoryStore(partSize))));
    expect([...pack.sizes]).toEqual(entries.map(({ body }) => body.length));
  });

  it('is received without it if it cannot start', async () => {
    const { bytes } = madePack(family([100, 110, 120]));
    const store = withPaths(new MemoryStore(partSize));
    const threads = new LocalThreads(store, codec, false);
    expect((await received(bytes, store, threads)).index.count).toBe(3);
    expect([threads.started, threads.ended]).toEqual([1, 1]);
  });

  test.prop([fc.nat()], { numRuns: runs(20) })('gets the same graph as without', async (seed) => {
    const graphs = await Promise.all(
      [true, false].map(async (isHelped) => {
        const repository = new MaintainedRepository();
        const threads = new LocalThreads(withPaths(repository.store), codec);
        if (isHelped) repository.engine = createGitEngine({ codec, threads });
        await new RandomHistory(repository).pushNewestFirst(seed);
        await repository.check();
        if (isHelped) expect(threads.lists).toBeGreaterThan(100);
        return [...repository.store.files].flatMap(([name, bytes]) =>
          name.endsWith('.graph') ? Buffer.from(bytes).toString('hex') : [],
        );
      }),
    );
    expect(graphs[0]).toEqual(graphs[1]);
  });

  it('may lack an object: then the commits that reach it are refused, and only these', async () => {
    const commits = historyOf(40);
    const [before, broken, tip] = [commits[19], commits[20], commits[39]] as [MadeObject, MadeObject, MadeObject];
    const known = closure([before]);
    const lost = [...closure([broken]).values()].find(({ id, kind }) => kind === 3 && !known.has(id));
    const entries = [...closure([tip]).values()].filter((entry) => entry !== lost);
    const repository = new MaintainedRepository();
    const threads = new LocalThreads(withPaths(repository.store), codec);
    repository.engine = createGitEngine({ codec, threads });
    const values = [tip, broken, before].map((value, i) => ({ ref: `refs/heads/${i}`, new: value }));
    expect(await repository.push(values, entries)).toEqual([
      'ng refs/heads/0 missing necessary objects',
      'ng refs/heads/1 missing necessary objects',
      'ok refs/heads/2',
    ]);
    expect(threads.lists).toBe(40);
  });
});

describe('GIT-195: a thread of Node', () => {
  it('resolves deltas, and collects the lists of commits', async () => {
    const graphs: string[] = [];
    const { threads: watched, answers } = watchedThreads(nodeReceivingThreads(1));
    for (const threads of [undefined, watched]) {
      const repository = new MaintainedRepository();
      repository.engine = createGitEngine({ codec, ...(threads && { threads }) });
      onDisk(repository.store);
      await new RandomHistory(repository).pushNewestFirst(7);
      await repository.check();
      for (const [name, bytes] of repository.store.files) {
        if (name.endsWith('.graph')) graphs.push(Buffer.from(bytes).toString('hex'));
      }
    }
    expect(graphs[0]).toBe(graphs[1]);
    // It started, and answered both times.
    expect(answers).toEqual([[], expect.objectContaining({ incomplete: new Uint32Array(0) })]);
  });

  it('tells what refuses a pack', async () => {
    const entries = family([100, 110, 120]);
    const [root, first] = entries as [MadeEntry, MadeEntry];
    const broken = [root, { ...first, delta: Uint8Array.of(100, 3, 0x7f) }];
    const store = onDisk(new MemoryStore(partSize));
    const error: unknown = await received(madePack(broken).bytes, store, nodeReceivingThreads(1)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PackError);
    expect((error as PackError).reason).toMatch(/^corrupt delta at offset/);
    expect(store.files.size).toBe(0);
  });
});
