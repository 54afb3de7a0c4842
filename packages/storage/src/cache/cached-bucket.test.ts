import { fc, test } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { collected, equalBytes, sampleBytes } from '@packhouse/git/contract';
import { describe, expect, it } from 'vitest';
import type { Bucket } from '../bucket/bucket.ts';
import { FaultyFileSystem, type Fault, type FileOperation } from '../testing/faulty-file-system.ts';
import { StrictBucket } from '../testing/strict-bucket.ts';
import { cachedBucket } from './cached-bucket.ts';
import { blockSize } from './cut-blocks.ts';
import { DiskCache } from './disk-cache.ts';

const folder = '/data/cache';
const unconditional = { onlyIf: new Headers() };
/** One read may add two blocks, and one process has thirty. */
const max = 32 * (blockSize + 40);

const openCache = (fileSystem: FaultyFileSystem, now?: () => number): Promise<DiskCache> =>
  DiskCache.open({ folder, fileSystem, max, ...(now === undefined ? {} : { now }) });

const read = async (bucket: Pick<Bucket, 'get'>, key: string, offset: number, length: number): Promise<Uint8Array> =>
  collected((await bucket.get(key, { range: { offset, length } }))?.body ?? new ReadableStream());

const sizes = fc.oneof(
  fc.tuple(fc.nat(4), fc.integer({ min: -2, max: 2 })).map(([blocks, off]) => Math.max(0, blocks * blockSize + off)),
  fc.nat(4 * blockSize),
);
const part = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** A step of an object, of one of two processes, or of the disk that they share. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), process: fc.nat(1), size: sizes }),
  fc.record({ kind: fc.constant('read' as const), process: fc.nat(1), object: part, from: part, length: part }),
  fc.record({ kind: fc.constant('read whole' as const), process: fc.nat(1), object: part }),
  fc.record({ kind: fc.constant('delete' as const), process: fc.nat(1), object: part }),
  fc.record({ kind: fc.constant('damage' as const), file: part, at: part, isCut: fc.boolean() }),
  fc.record({ kind: fc.constant('fail' as const), operations: fc.array(fc.constantFrom<Fault>('fail', 'fail late')) }),
  fc.record({ kind: fc.constant('restart' as const), process: fc.nat(1) }),
  fc.record({ kind: fc.constant('power cut' as const), kept: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }) }),
);

const oneOf = <T>(list: readonly T[], at: number): T | undefined => list[Math.floor(at * list.length)];

async function diskBytes(disk: FaultyFileSystem): Promise<number> {
  return (await disk.list(folder)).reduce((sum, { size }) => sum + size, 0);
}

async function damage(disk: FaultyFileSystem, path: string, at: number, isCut: boolean): Promise<void> {
  const file = await disk.open(path);
  const bytes = new Uint8Array(file.size);
  await file.read([bytes], 0);
  const position = Math.floor(at * bytes.length);
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  const changed = await disk.create(path);
  await changed.write([isCut ? bytes.subarray(0, position) : bytes], 0);
  await changed.close();
}

describe('cachedBucket', () => {
  test.prop([fc.array(step, { minLength: 30, maxLength: 60 })], { numRuns: runs(100) })(
    'REPO-329: reads what the bucket has, after any fault of the disk, and keeps to its bytes',
    async (steps) => {
      const faults: Fault[] = [];
      // A disk that removes nothing fills up.
      const fault = ({ kind }: FileOperation) => (kind === 'remove' ? undefined : faults.pop());
      const options = { folders: [folder], fault };
      let disk = new FaultyFileSystem(options);
      const bucket = new StrictBucket();
      const objects = new Map<string, Uint8Array>();
      const reopened = async () => cachedBucket(bucket, await openCache(disk));
      const processes = [await reopened(), await reopened()];
      for (const [i, next] of steps.entries()) {
        const reader = processes['process' in next ? next.process : 0] as Bucket;
        const key = 'object' in next ? oneOf([...objects.keys()], next.object) : undefined;
        const bytes = objects.get(key ?? '') ?? new Uint8Array(0);
        if (next.kind === 'put') {
          objects.set(`account/${i}.idx`, sampleBytes(next.size, i));
          await reader.put(`account/${i}.idx`, sampleBytes(next.size, i), unconditional);
        } else if (next.kind === 'read' && bytes.length > 0) {
          const offset = Math.floor(next.from * bytes.length);
          const length = 1 + Math.floor(next.length * (bytes.length - offset));
          expect(
            equalBytes(await read(reader, key ?? '', offset, length), bytes.subarray(offset, offset + length)),
          ).toBe(true);
        } else if (next.kind === 'read whole' && key !== undefined) {
          const object = await reader.get(key);
          expect(object?.size).toBe(bytes.length);
          expect(equalBytes(await collected(object?.body ?? new ReadableStream()), bytes)).toBe(true);
        } else if (next.kind === 'delete' && key !== undefined) {
          await reader.delete([key]);
          objects.delete(key);
        } else if (next.kind === 'damage') {
          faults.length = 0;
          const path = oneOf(disk.files, next.file);
          if (path !== undefined) await damage(disk, path, next.at, next.isCut);
        } else if (next.kind === 'fail') faults.push(...next.operations);
        else if (next.kind === 'restart') {
          faults.length = 0;
          processes[next.process] = await reopened();
        } else if (next.kind === 'power cut') {
          faults.length = 0;
          let change = 0;
          disk = disk.afterPowerCut(() => next.kept[change++ % next.kept.length] === true, options);
          processes.splice(0, 2, await reopened(), await reopened());
        }
        expect(await diskBytes(disk)).toBeLessThanOrEqual(max);
      }
    },
  );

  it('reads a block once from the bucket, also after a restart', async () => {
    const disk = new FaultyFileSystem({ folders: [folder] });
    const counted = { gets: 0 };
    const store = new StrictBucket();
    const get = store.get.bind(store);
    store.get = async (...given) => {
      counted.gets += 1;
      return get(...given);
    };
    await store.put('a/1.pack', sampleBytes(2 * blockSize + 5), unconditional);
    let cache = await openCache(disk);
    for (const [offset, gets] of [
      [5, 1],
      [100, 1],
      [blockSize - 2, 2],
      [2 * blockSize, 3],
    ] as const) {
      await read(cachedBucket(store, cache), 'a/1.pack', offset, 4);
      expect(counted.gets).toBe(gets);
    }
    expect(cache).toMatchObject({ hits: 2, misses: 3, weight: 2 * blockSize + 5 + 3 * 40 });
    cache = await openCache(disk);
    await collected((await cachedBucket(store, cache).get('a/1.pack'))?.body ?? new ReadableStream());
    expect(counted.gets).toBe(3);
  });

  it('evicts the blocks that were not used for the longest time', async () => {
    const disk = new FaultyFileSystem({ folders: [folder] });
    const cache = await openCache(disk);
    const bucket = cachedBucket(new StrictBucket(), cache);
    for (let i = 0; i < 30; i++) await bucket.put(`a/${i}.idx`, new Uint8Array(blockSize), unconditional);
    await read(bucket, 'a/0.idx', 0, 1);
    await bucket.put('a/30.idx', new Uint8Array(blockSize), unconditional);
    const { hits } = cache;
    for (const key of ['a/0.idx', 'a/2.idx', 'a/30.idx', 'a/1.idx']) await read(bucket, key, 0, 1);
    expect(cache).toMatchObject({ hits: hits + 3, misses: 1 });
  });

  it('adds nothing from a read of more than a sixteenth of its bytes', async () => {
    const cache = await openCache(new FaultyFileSystem({ folders: [folder] }));
    const store = new StrictBucket();
    await store.put('a/1.pack', new Uint8Array(3 * blockSize), unconditional);
    await collected((await cachedBucket(store, cache).get('a/1.pack'))?.body ?? new ReadableStream());
    expect(cache.weight).toBe(0);
  });

  it('finds a wrong byte, and replaces the block', async () => {
    const disk = new FaultyFileSystem({ folders: [folder] });
    const cache = await openCache(disk);
    const bucket = cachedBucket(new StrictBucket(), cache);
    const bytes = sampleBytes(1_000);
    await bucket.put('a/1.idx', bytes, unconditional);
    await damage(disk, disk.files[0] ?? '', 0.5, false);
    for (let i = 0; i < 2; i++) expect(equalBytes(await read(bucket, 'a/1.idx', 0, 1_000), bytes)).toBe(true);
    expect(cache).toMatchObject({ hits: 1, misses: 1 });
  });

  it.each([1, 3])(
    'ends the read of the bucket if its reader leaves before the first byte, of %i blocks',
    async (blocks) => {
      const cache = await openCache(new FaultyFileSystem({ folders: [folder] }));
      let cancelled = 0;
      const body = (): ReadableStream<Uint8Array> => new ReadableStream({ cancel: () => void cancelled++ });
      const silent = { get: async () => ({ size: blocks * blockSize, body: body() }) } as unknown as Bucket;
      await (await cachedBucket(silent, cache).get('a/1.pack'))?.body.cancel();
      expect(cancelled).toBe(1);
    },
  );

  it('removes unfinished files of dead processes, and others that do not belong there', async () => {
    let now = 5_000_000;
    const disk = new FaultyFileSystem({ folders: [folder], now: () => now });
    const name = `${'0'.repeat(32)}-0`;
    for (const file of [`${name}.old.tmp`, 'Notes.txt', `${name.replace('0', '1')}`])
      await (await disk.create(`${folder}/${file}`)).close();
    now += 3_600_001;
    await (await disk.create(`${folder}/${name}.new.tmp`)).close();
    await openCache(disk, () => now);
    expect(disk.files.map((path) => path.slice(folder.length + 1)).sort()).toEqual(
      [`${name}.new.tmp`, name.replace('0', '1')].sort(),
    );
  });
});
