import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine } from '../engine/engine.ts';
import { closure, historyOf, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { RandomHistory } from '../maintain/random-history.test.util.ts';
import { copy, insert, madePack, someEntries, varint, type MadeEntry } from '../pack/made-pack.test.util.ts';
import { MemoryStore } from '../pack/memory-store.test.util.ts';
import { PackError } from '../pack/pack-error.ts';
import type { IncomingPack, IndexOptions } from '../pack/receive/incoming-pack.ts';
import { indexIncomingPack } from '../pack/receive/index-incoming.ts';
import { indexOptions } from '../pack/receive/index-options.test.util.ts';
import { memoryShare } from '../pack/receive/memory-share.test.util.ts';
import type { ReceivingThread, ReceivingThreads } from '../pack/receive/receiving-threads.ts';
import type { PackStore } from '../ports/pack-store.ts';
import { cost } from '../work/costs.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { Scheduler, WorkAbortedError } from '../work/scheduler.ts';
import { greedy, localThreads, withPaths } from './local-threads.test.util.ts';
import { nodeReceivingThreads } from './node.ts';

const codec = nodeCodec();
const partSize = 16;
const mebibyte = 1024 * 1024;

async function received(
  bytes: Uint8Array,
  store: PackStore = new MemoryStore(partSize),
  threads?: ReceivingThreads,
  more: Partial<IndexOptions> = {},
): Promise<IncomingPack> {
  const source = (async function* chunks() {
    yield bytes;
  })();
  return indexIncomingPack(source, indexOptions(store, { threads, ...more }));
}

/** All that a pack says of its objects. */
async function contentOf(pack: IncomingPack): Promise<unknown> {
  const { index, kinds, sizes, bases } = pack;
  const ids = Array.from({ length: index.count }, (_, i) => index.id(i));
  const idx = Buffer.from(await pack.idx()).toString('hex');
  return { ids, kinds: [...kinds], sizes: [...sizes], bases: [...bases], idx };
}

/** A store whose packs threads of this process can read, such threads that do everything, and what they were given. */
function helped(threadMemory = 0): ReturnType<typeof greedy> & { readonly store: PackStore & MemoryStore } {
  const store = withPaths(new MemoryStore(partSize));
  return { store, ...greedy(localThreads(store, codec, threadMemory)) };
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

const headSize = 20;

/** A family of blobs, each a delta of the one before it. They differ in their first bytes. */
function family(sizes: readonly number[]): readonly MadeEntry[] {
  const entries: MadeEntry[] = [];
  for (const [i, size] of sizes.entries()) {
    const body = Buffer.alloc(size, 'x');
    body.write(`number ${i} of ${size}`.padEnd(headSize));
    const base = entries.at(-1);
    if (base === undefined) entries.push({ kind: 3, body });
    else entries.push({ kind: 3, body, base, by: 'offset', delta: deltaOf(base, body) });
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

const small = family([100, 110, 120]);
const [root, first] = small as [MadeEntry, MadeEntry];
// It copies more than its base has.
const broken = madePack([root, { ...first, delta: Uint8Array.of(100, 110, ...copy(90, 110)) }]).bytes;

const dead: ReceivingThread = {
  resolve: () => Promise.reject(new Error('dead')),
  collect: () => Promise.reject(new Error('dead')),
  end: () => Promise.resolve(),
};

describe('GIT-195: a pack that a thread helps with', () => {
  test.prop([someEntries()], { numRuns: runs(60) })('has the same content as without', async (entries) => {
    const { bytes } = madePack(entries);
    const { store, threads, given } = helped();
    const pack = await received(bytes, store, threads);
    expect(await contentOf(pack)).toEqual(await contentOf(await received(bytes)));
    await pack.release();
    expect(given.ended).toBe(given.started);
  });

  test.prop([someEntries(), fc.nat(), fc.integer({ min: 1, max: 255 })], { numRuns: runs(100) })(
    'is refused if it is refused without',
    async (entries, at, bits) => {
      const { bytes } = madePack(entries);
      const place = at % (bytes.length - 20);
      bytes[place] = (bytes[place] as number) ^ bits;
      bytes.set(codec.sha1Of(bytes.subarray(0, -20)), bytes.length - 20);
      const outcome = (pack: Promise<IncomingPack>): Promise<unknown> =>
        pack.then(contentOf, (error: unknown) => error instanceof PackError || error);
      const { store, threads } = helped();
      const alone = new MemoryStore(partSize);
      expect(await outcome(received(bytes, store, threads))).toEqual(await outcome(received(bytes, alone)));
      expect(store.files.size + store.reserved.size).toBe(alone.files.size + alone.reserved.size);
    },
  );

  const large = 1_200_000;
  const withLarge = [
    ...family([900, large, 800, 700]),
    ...family([large + 5, 600, 500]),
    ...family([100, 110, 120, large + 9, large + 10, 130]),
  ];

  it('leaves objects of more than a mebibyte to the thread that receives', async () => {
    const { bytes } = madePack(withLarge);
    const { store, threads, given } = helped();
    const pack = await received(bytes, store, threads);
    expect([given.families, given.left]).toEqual([3, 3]);
    expect(await contentOf(pack)).toEqual(await contentOf(await received(bytes)));
    expect([...pack.sizes]).toEqual(withLarge.map(({ body }) => body.length));
  });

  it('has the limits of chains over what a thread leaves', async () => {
    const { bytes } = madePack(withLarge);
    const refusal = async (more: Partial<IndexOptions>): Promise<unknown> => {
      const { store, threads } = helped();
      const [error, alone] = await Promise.all(
        [received(bytes, store, threads, more), received(bytes, undefined, undefined, more)].map((pack) =>
          pack.then(
            () => undefined,
            (reason: PackError) => reason,
          ),
        ),
      );
      expect(error).toEqual(alone);
      return error?.commandReason;
    };
    expect(await refusal({ chainDepthMax: 4 })).toBe('delta chain too deep');
    expect(await refusal({ chainDepthMax: 5 })).toBeUndefined();
    expect(await refusal({ chainMax: 2 * large })).toBe('delta chain too large');
  });

  it('counts what the thread does as work of the push (LIM-068)', async () => {
    const { bytes } = madePack([...family([900, ...Array.from({ length: 40 }, () => 500_000)]), ...small]);
    const countedBy = async (store?: PackStore, threads?: ReceivingThreads): Promise<number> => {
      let counted = 0;
      const work = new Scheduler().begin({ onSpend: (_, amount) => (counted += amount) });
      await received(bytes, store, threads, { work });
      return counted;
    };
    const { store, threads } = helped();
    const alone = await countedBy();
    expect(alone).toBeGreaterThan(40 * 500_000);
    expect((await countedBy(store, threads)) / alone).toBeCloseTo(1, 2);
  });

  it('is refused where that is too much, or the client leaves', async () => {
    const { bytes } = madePack(small);
    const over = new PackError('too much');
    const refusing = new Scheduler().begin({
      onSpend: (_, amount) => {
        if (amount === 1024 * 1024) throw over;
      },
    });
    const leaving = new AbortController();
    for (const [work, expected] of [
      [refusing, over],
      [new Scheduler().begin({ signal: leaving.signal }), new WorkAbortedError()],
    ] as const) {
      const { store, threads, given } = helped();
      let counters: Int32Array = new Int32Array(1);
      const start = (): ReceivingThread => ({
        ...(threads.start() as ReceivingThread),
        // It takes everything, and does not come to an end by itself.
        resolve: ({ queue, work: shared }) => {
          queue.next[0] = queue.roots.length;
          counters = shared;
          shared[3] = 1024;
          setTimeout(() => leaving.abort(), 50);
          return new Promise(() => {});
        },
      });
      const error: unknown = await received(bytes, store, { ...threads, start }, { work }).catch((e: unknown) => e);
      expect(error).toEqual(expected);
      expect([given.ended, store.files.size]).toEqual([1, 0]);
      // Its work was stopped.
      expect(counters[0]).toBe(1);
    }
  });

  it.each(['resolve', 'collect'] as const)('is refused if the thread fails (%s)', async (method) => {
    const repository = new MaintainedRepository();
    const { threads, given } = greedy(localThreads(withPaths(repository.store), codec));
    const failure = new Error('a thread has ended');
    const start = (): ReceivingThread => ({
      ...(threads.start() as ReceivingThread),
      [method]: ({ next = new Int32Array(1) }: { readonly next?: Int32Array }) => {
        next[0] = 1_000_000;
        return Promise.reject(failure);
      },
    });
    repository.engine = createGitEngine({ codec, threads: { ...threads, start } });
    await expect(new RandomHistory(repository).pushNewestFirst(3)).rejects.toThrow();
    expect(repository.state.packs).toEqual([]);
    expect([given.started, given.ended]).toEqual([1, 1]);
  });

  it.each([
    ['has fewer objects', { leastObjects: 4 }, small],
    ['has an object of more than 8 MiB', {}, [...small, { kind: 3, body: Buffer.alloc(9 * mebibyte) }]],
  ] as const)('is received without a thread if it %s', async (_, least, entries) => {
    const { store, threads, given } = helped();
    await received(madePack(entries).bytes, store, { ...threads, ...least });
    expect(given.started).toBe(0);
  });

  it.each<[string, ReceivingThread | undefined]>([
    ['cannot start', undefined],
    ['starts, but does not get ready', { ...dead, resolve: async () => undefined }],
  ])('is received without a thread that %s', async (_, thread) => {
    const { store, threads } = helped();
    let taken = 0;
    const memory = memoryShare({
      grow: (bytes) => void (taken += bytes),
      shrink: (bytes) => void (taken -= bytes),
    });
    const more = { memory, leansOnNothing: true };
    const pack = await received(madePack(small).bytes, store, { ...threads, memory: 1, start: () => thread }, more);
    expect([taken, pack.collectBeside]).toEqual([0, undefined]);
    expect(await contentOf(pack)).toEqual(await contentOf(await received(madePack(small).bytes)));
  });

  it('takes the memory of the thread, and gives it back', async () => {
    for (const [limit, isHelped] of [
      [100 * mebibyte, true],
      [70 * mebibyte, false],
    ] as const) {
      let [taken, most, planned] = [0, 0, 0];
      const memory = memoryShare({
        resize: async (bytes: number) => void (planned = bytes),
        grow: (bytes: number) => {
          if (taken + bytes > limit) throw new NotEnoughMemoryError({ needed: bytes, limit, setting: 'memory_max' });
          most = Math.max(most, (taken += bytes));
        },
        shrink: (bytes: number) => void (taken -= bytes),
      });
      const { store, threads, given } = helped(64 * mebibyte);
      const pack = await received(madePack(withLarge).bytes, store, threads, { memory, leansOnNothing: true });
      expect(planned).toBeGreaterThan(0);
      expect([given.started, most >= 64 * mebibyte]).toEqual(isHelped ? [1, true] : [0, false]);
      await pack.release();
      expect([taken, given.ended]).toEqual([0, given.started]);
    }
  });

  it('does without a thread while other requests wait for memory', async () => {
    const { store, threads, given } = helped(64 * mebibyte);
    let taken = 0;
    const memory = memoryShare({ grow: (bytes) => void (taken += bytes), growInTurn: () => false });
    await received(madePack(small).bytes, store, threads, { memory });
    expect([given.started, taken]).toEqual([0, 0]);
  });

  it.each([true, false])(
    'keeps the thread for lists only if the push leans on nothing (%s)',
    async (leansOnNothing) => {
      const { store, threads, given } = helped();
      const pack = await received(madePack(small).bytes, store, threads, { leansOnNothing });
      expect([given.started, given.ended]).toEqual([1, leansOnNothing ? 0 : 1]);
      expect(pack.collectBeside !== undefined).toBe(leansOnNothing);
      await pack.release();
      expect(given.ended).toBe(1);
    },
  );

  it('ends the thread when lists are collected, and is released no sooner', async () => {
    const { store, threads, given } = helped(64 * mebibyte);
    const ended = Promise.withResolvers<undefined>();
    const start = (): ReceivingThread => {
      const thread = threads.start() as ReceivingThread;
      let shared: Int32Array;
      return {
        resolve(job) {
          shared = job.work;
          return thread.resolve(job);
        },
        collect(job) {
          shared[1 + cost.compared] = 2;
          return thread.collect(job);
        },
        end: () => ended.promise.then(thread.end),
      };
    };
    let compared = 0;
    const work = new Scheduler().begin({
      onSpend: (kind, amount) => void (compared += kind === cost.compared ? amount : 0),
    });
    let taken = 0;
    const memory = memoryShare({
      grow: (bytes) => void (taken += bytes),
      shrink: (bytes) => void (taken -= bytes),
    });
    const more = { memory, work, leansOnNothing: true };
    const pack = await received(madePack(small).bytes, store, { ...threads, start }, more);
    const order: string[] = [];
    const none = { places: new Uint32Array(), trees: new Int32Array(), parentTrees: new Uint32Array() };
    const job = { ...none, parentStarts: new Uint32Array(1), next: new Int32Array(1) };
    const collecting = pack.collectBeside?.(job).then(() => order.push('collected'));
    await new Promise(setImmediate);
    const releasing = pack.release().then(() => order.push('released'));
    await new Promise(setImmediate);
    expect([order, taken]).toEqual([[], 64 * mebibyte]);
    expect(compared).toBe(2048);
    ended.resolve(undefined);
    await Promise.all([collecting, releasing]);
    expect([order.toSorted(), taken, given.ended]).toEqual([['collected', 'released'], 0, 1]);
  });

  it('is stored again as version 2 (GIT-067)', async () => {
    const { bytes } = madePack(small, { version: 3 });
    const { store, threads, given } = helped();
    const pack = await received(bytes, store, threads, { leansOnNothing: true });
    expect(await contentOf(pack)).toEqual(await contentOf(await received(madePack(small).bytes)));
    // The thread read what is removed now.
    expect([given.started, given.ended, pack.collectBeside]).toEqual([1, 1, undefined]);
  });

  it('gets memory for its commits, too, when the thread has ended', async () => {
    const commits = historyOf(3).map(({ kind, body }): MadeEntry => ({ kind, body }));
    const [old, next] = commits as [MadeEntry, MadeEntry];
    const { bytes } = madePack([old, { ...next, base: old, by: 'offset' }, ...small]);
    const { store, threads, given } = helped();
    const visited: number[] = [];
    const visit = (ordinal: number): void => {
      if (ordinal === 1 && given.ended === 0) {
        throw new NotEnoughMemoryError({ needed: 1, limit: 1, setting: 'memory_max' });
      }
      visited.push(ordinal);
    };
    let isResolved = false;
    const start = (): ReceivingThread => {
      const thread = threads.start() as ReceivingThread;
      return {
        ...thread,
        async resolve(job) {
          const left = await thread.resolve(job);
          await new Promise((resolve) => setTimeout(resolve, 20));
          isResolved = true;
          return left;
        },
        end() {
          // What it has taken is made nowhere else.
          expect(isResolved).toBe(true);
          return thread.end();
        },
      };
    };
    const pack = await received(bytes, store, { ...threads, start }, { visit });
    expect(visited).toEqual([0, 1]);
    expect(await contentOf(pack)).toEqual(await contentOf(await received(bytes)));
  });

  it('ends the thread where this one lacks memory', async () => {
    const { store, threads, given } = helped(64 * mebibyte);
    let hasThread = false;
    const memory = memoryShare({
      grow: (bytes: number) => {
        // What the thread takes, and beside it nothing.
        if (hasThread) throw new NotEnoughMemoryError({ needed: bytes, limit: 1, setting: 'memory_max' });
        hasThread = bytes >= 64 * mebibyte;
      },
      shrink: (bytes: number) => void (hasThread = hasThread && bytes !== 64 * mebibyte),
    });
    const { bytes } = madePack(family([900, 12 * mebibyte, 12 * mebibyte + 5, 700]));
    const pack = await received(bytes, store, threads, { memory });
    expect([given.started, given.ended]).toEqual([1, 1]);
    expect(await contentOf(pack)).toEqual(await contentOf(await received(bytes)));
  });

  it('ends the thread where the check of objects that come twice lacks memory (GIT-147)', async () => {
    const { store, threads, given } = helped(64 * mebibyte);
    let [taken, isShort] = [0, false];
    const memory = memoryShare({
      grow: (bytes: number) => {
        isShort ||= given.started > given.ended;
        if (given.started > given.ended)
          throw new NotEnoughMemoryError({ needed: bytes, limit: 1, setting: 'memory_max' });
        taken += bytes;
      },
      shrink: (bytes: number) => void (taken -= bytes),
    });
    const [base, large] = family([900, 12 * mebibyte]) as [MadeEntry, MadeEntry];
    // The same object, made of two bases.
    const { bytes } = madePack([...small, base, large, { ...large, base: root, delta: deltaOf(root, large.body) }]);
    const pack = await received(bytes, store, threads, { memory, leansOnNothing: true });
    expect([given.started, given.ended, isShort]).toEqual([1, 1, true]);
    expect(pack.index.count).toBe(6);
    await pack.release();
    expect(taken).toBe(0);
  });

  test.prop([fc.nat()], { numRuns: runs(10) })('gets the same graph as without', async (seed) => {
    const repositories = [new MaintainedRepository(), new MaintainedRepository()] as const;
    const { threads, given } = greedy(localThreads(withPaths(repositories[0].store), codec));
    repositories[0].engine = createGitEngine({ codec, threads });
    for (const repository of repositories) await new RandomHistory(repository).pushNewestFirst(seed);
    await repositories[0].check();
    expect(given.nodes).toBeGreaterThan(100);
    expect(graphsOf(repositories[0])).toEqual(graphsOf(repositories[1]));
  });

  it('may lack an object: then the commits that reach it are refused, and only these', async () => {
    const commits = historyOf(40);
    const [before, bad, tip] = [commits[19], commits[20], commits[39]] as [MadeObject, MadeObject, MadeObject];
    const known = closure([before]);
    const lost = [...closure([bad]).values()].find(({ id, kind }) => kind === 3 && !known.has(id));
    const entries = [...closure([tip]).values()].filter((entry) => entry !== lost);
    const repository = new MaintainedRepository();
    const { threads, given } = greedy(localThreads(withPaths(repository.store), codec));
    repository.engine = createGitEngine({ codec, threads });
    const values = [tip, bad, before].map((value, i) => ({ ref: `refs/heads/${i}`, new: value }));
    expect(await repository.push(values, entries)).toEqual([
      'ng refs/heads/0 missing necessary objects',
      'ng refs/heads/1 missing necessary objects',
      'ok refs/heads/2',
    ]);
    expect(given.nodes).toBe(40);
    await repository.check();
  });

  it('collects its own lists where the push leans on what is stored', async () => {
    const commits = historyOf(30);
    const repository = new MaintainedRepository();
    const { threads, given } = greedy(localThreads(withPaths(repository.store), codec));
    repository.engine = createGitEngine({ codec, threads });
    const [old, tip] = [commits[9], commits[29]] as [MadeObject, MadeObject];
    const known = closure([old]);
    await repository.push([{ ref: 'refs/heads/main', new: old }], [...known.values()]);
    expect(given.nodes).toBe(10);
    const entries = [...closure([tip]).values()].filter(({ id }) => !known.has(id));
    expect(await repository.push([{ ref: 'refs/heads/main', new: tip }], entries)).toEqual(['ok refs/heads/main']);
    expect(given).toMatchObject({ nodes: 10, started: 2, ended: 2 });
    await repository.check();
  });
});

function graphsOf({ store }: MaintainedRepository): readonly string[] {
  return [...store.files].flatMap(([name, bytes]) =>
    name.endsWith('.graph') ? [Buffer.from(bytes).toString('hex')] : [],
  );
}

describe('GIT-195: a thread of the runtime', () => {
  it('resolves deltas, and collects the lists of commits', async () => {
    const repositories = [new MaintainedRepository(), new MaintainedRepository()] as const;
    const { threads, given } = greedy(nodeReceivingThreads(1));
    repositories[0].engine = createGitEngine({ codec, threads });
    onDisk(repositories[0].store);
    for (const repository of repositories) await new RandomHistory(repository).pushNewestFirst(7);
    await repositories[0].check();
    expect(graphsOf(repositories[0])).toEqual(graphsOf(repositories[1]));
    expect(given).toMatchObject({ started: 1, ended: 1 });
    expect(given.families).toBeGreaterThan(1);
    expect(given.nodes).toBeGreaterThan(100);
  });

  it('gets tables of some megabytes', async () => {
    const blobs = Array.from({ length: 60_000 }, (_, i): MadeEntry => ({ kind: 3, body: Buffer.from(`blob ${i}`) }));
    const { bytes } = madePack([...small, ...blobs], { level: 0 });
    const { threads, given } = greedy(nodeReceivingThreads());
    const pack = await received(bytes, onDisk(new MemoryStore(64 * 1024)), threads);
    expect(pack.index.count).toBe(60_003);
    await pack.release();
    expect(given).toMatchObject({ started: 1, ended: 1, families: 1 });
  });

  it('tells what refuses a pack, and leaves no file open', async () => {
    const store = onDisk(new MemoryStore(partSize));
    const { threads, given } = greedy(nodeReceivingThreads(1));
    const error: unknown = await received(broken, store, threads).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PackError);
    expect((error as PackError).reason).toMatch(/^corrupt delta at offset/);
    expect(given).toMatchObject({ started: 1, ended: 1 });
    expect(store.files.size).toBe(0);
    const open = readdirSync('/proc/self/fd').filter((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).includes('packhouse-threads-');
      } catch {
        return false;
      }
    });
    expect(open).toEqual([]);
  });

  it('helps one push at a time', async () => {
    const threads = nodeReceivingThreads(1);
    const thread = threads.start();
    expect(threads.start()).toBeUndefined();
    await thread?.end();
    const next = threads.start();
    expect(next).toBeDefined();
    await next?.end();
  });
});
