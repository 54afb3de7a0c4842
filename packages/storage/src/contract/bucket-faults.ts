import { packFiles, StorageError, type PackFile, type PackId, type PackStore } from '@packhouse/git';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PackReservations } from '../packs/reservations.ts';
import type { Bucket, OpenSizedStream, PiecedBody } from '../bucket/bucket.ts';
import { FaultyBucket, type BucketCall, type BucketFault, type BucketOperation } from '../testing/faulty-bucket.ts';
import { bucketPackStore } from '../bucket/pack-store.ts';
import type { PackHolders } from '../packs/holders.ts';
import type { OperationKind } from '../bucket/traffic.ts';
import { collected, equalBytes, sampleBytes } from '@packhouse/git/contract';

/** A bucket with a repository for one test. */
export interface BucketFaultsFixture {
  readonly bucket: Bucket | Bucket<PiecedBody>;
  readonly account: string;
  /** A repository that only the test uses. */
  readonly repoId: string;
  readonly reservations: PackReservations;
  readonly holders: PackHolders;
  /** Null if the bucket takes pieces. Default: the stream of Workers. */
  readonly openStream?: OpenSizedStream | null;
}

export interface BucketCapabilities {
  /** The bucket knows the condition of `put`. */
  readonly refusesSecondPut: boolean;
  /** It takes streams, and has native ones to pipe. */
  readonly hasStreams: boolean;
}

/** A store whose bucket fails on demand, with a record of its actions. */
interface FaultyStore extends PackStore {
  readonly bucket: FaultyBucket;
  /** Milliseconds of each wait, in order. */
  readonly waits: number[];
  readonly billed: Record<OperationKind, number>;
  /** Maximum number of concurrent reads. */
  readonly reads: { most: number };
}

/** Payload of 128 frames. */
const partSize = 8_385_920;

type Fault = (call: BucketCall) => BucketFault | undefined;

const none: Fault = () => undefined;
const always =
  (operation: BucketOperation, fault: BucketFault): Fault =>
  (call) =>
    call.operation === operation ? fault : undefined;
/** Makes the first `times` operations of a kind fail. */
const first = (operation: BucketOperation, fault: BucketFault, times = 1): Fault => {
  let left = times;
  return (call) => (call.operation === operation && left-- > 0 ? fault : undefined);
};

/** Tests the pack store over a failing bucket. Every supported bucket runs it. */
export function testBucketFaults(
  name: string,
  make: () => Promise<BucketFaultsFixture>,
  capabilities: BucketCapabilities = { refusesSecondPut: true, hasStreams: true },
): void {
  describe(`Bucket with faults: ${name}`, () => {
    let fixture: BucketFaultsFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    const open = (fault: Fault = none): FaultyStore => faultyStore(fixture, fault);
    const absent = async (id: PackId, files: readonly PackFile[] = packFiles) => {
      for (const file of files)
        await expect(open().read(id, file, [{ offset: 0, length: 1 }])).rejects.toThrow(StorageError);
    };
    const count = (store: FaultyStore, operation: BucketOperation) =>
      store.bucket.calls.filter((call) => call.operation === operation).length;
    testPuts({ open, absent, count }, capabilities);
    testMultiparts({ open, absent, count });
    testReads({ open, absent, count }, capabilities);
    testRemovals(open, () => fixture);
  });
}

function faultyStore({ bucket, openStream, ...ports }: BucketFaultsFixture, fault: Fault): FaultyStore {
  const faulty = new FaultyBucket(bucket, fault);
  const waits: number[] = [];
  const billed = { classA: 0, classB: 0, free: 0 };
  const reads = { most: 0 };
  const store = bucketPackStore({
    bucket: faulty,
    ...ports,
    ...(openStream === undefined ? {} : { openStream }),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    onOperation(kind, rangesInFlight) {
      if (rangesInFlight > 4) throw new Error('Too many reads at once');
      billed[kind] += 1;
      reads.most = Math.max(reads.most, rangesInFlight);
    },
  });
  return Object.assign(store, { bucket: faulty, waits, billed, reads });
}

interface Tools {
  open(fault?: Fault): FaultyStore;
  absent(id: PackId, files?: readonly PackFile[]): Promise<void>;
  count(store: FaultyStore, operation: BucketOperation): number;
}

const large = sampleBytes(700_000, 5);
const everyFault = ['refused', 'lost', 'cut'] as const;

function testPuts({ open, absent, count }: Tools, { refusesSecondPut }: BucketCapabilities): void {
  describe('puts', () => {
    it.each(everyFault)('are repeated when one is %s', async (fault) => {
      for (const file of packFiles) {
        const store = open(first('put', fault));
        const id = await store.reserve();
        await store.put(id, file, [large.subarray(0, 300_001), large.subarray(300_001)]);
        expect(count(store, 'put')).toBe(fault === 'lost' ? 1 : 2);
        expect(store.waits).toEqual([100]);
        const [read] = await open().read(id, file, [{ offset: 0, length: large.length }]);
        expect(equalBytes(read as Uint8Array, large)).toBe(true);
      }
    });

    it.each(['refused', 'cut'] as const)('GIT-153: end as a StorageError when every one is %s', async (fault) => {
      const store = open(always('put', fault));
      const id = await store.reserve();
      await expect(store.put(id, 'pack', [large])).rejects.toThrow(StorageError);
      expect(count(store, 'put')).toBe(4);
      expect(store.waits).toEqual([100, 200, 400]);
      await absent(id);
    });

    it.runIf(refusesSecondPut)('are complete if an attempt that seemed lost arrives late', async () => {
      // The first one fails at once, but appears in the bucket after the next look there.
      const id = await open().reserve();
      const store = open(first('put', 'refused'));
      const head = store.bucket.head.bind(store.bucket);
      let looked = false;
      store.bucket.head = async (key) => {
        const found = await head(key);
        if (!looked) await open().put(id, 'idx', [large]);
        looked = true;
        return found;
      };
      await store.put(id, 'idx', [large]);
      expect([count(store, 'put'), count(store, 'head')]).toEqual([2, 2]);
    });

    it('do not use the chunks after they have settled', async () => {
      const chunk = large.slice();
      const store = open(first('put', 'cut'));
      const id = await store.reserve();
      await store.put(id, 'pack', [chunk]);
      chunk.fill(0);
      expect(equalBytes(await collected(open().stream(id)), large)).toBe(true);
    });

    it.runIf(refusesSecondPut)('do not mistake an older file for their own', async () => {
      const id = await open().reserve();
      await open().put(id, 'idx', [Uint8Array.of(1, 2)]);
      await expect(open().put(id, 'idx', [Uint8Array.of(3, 4)])).rejects.toThrow('already');
      await expect(open(first('put', 'refused')).put(id, 'idx', [Uint8Array.of(3)])).rejects.toThrow('already');
      expect(await open().read(id, 'idx', [{ offset: 0, length: 2 }])).toEqual([Uint8Array.of(1, 2)]);
    });
  });
}

function testMultiparts({ open, absent, count }: Tools): void {
  describe('uploads in parts', () => {
    const bytes = sampleBytes(partSize + 300_000, 6);
    /** Sends the first part last, as when completing a thin pack. */
    const upload = async (store: PackStore, id: PackId): Promise<void> => {
      const parts = await store.upload(id);
      try {
        await parts.write(1, bytes.subarray(partSize));
        await parts.write(0, bytes.subarray(0, partSize));
        await parts.complete(bytes.length);
      } catch (error) {
        await parts.abort();
        throw error;
      }
    };

    it('cost one operation per part, one before and one after', async () => {
      const store = open();
      expect(store.partSize).toBe(partSize);
      await upload(store, await store.reserve());
      expect(store.billed).toEqual({ classA: 4, classB: 0, free: 0 });
    });

    it.each(
      (['create', 'part', 'complete'] as const).flatMap((operation) =>
        everyFault.map((fault) => [operation, fault] as const),
      ),
    )('get over a %s that is %s', async (operation, fault) => {
      const store = open(first(operation, fault));
      const id = await store.reserve();
      await upload(store, id);
      expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
      expect(count(store, 'complete')).toBe(operation === 'complete' && fault !== 'lost' ? 2 : 1);
      expect(count(store, 'head')).toBe(operation === 'complete' ? 1 : 0);
    });

    it.each([
      ['create', 'refused', 4],
      ['part', 'refused', 4],
      ['part', 'cut', 4],
      ['complete', 'refused', 4],
    ] as const)('GIT-153: leave nothing when each %s is %s', async (operation, fault, attempts) => {
      const store = open(always(operation, fault));
      const id = await store.reserve();
      await expect(upload(store, id)).rejects.toThrow(StorageError);
      expect(count(store, operation)).toBe(attempts);
      await absent(id, ['pack']);
    });

    it('fail if their outcome cannot be verified', async () => {
      const store = open(({ operation }) => (operation === 'complete' || operation === 'head' ? 'refused' : undefined));
      const id = await store.reserve();
      await expect(upload(store, id)).rejects.toThrow(StorageError);
      await absent(id, ['pack']);
    });

    it('GIT-153: cut off after any number of operations, show nothing, can be removed, and can be repeated', async () => {
      for (let alive = 0; ; alive++) {
        let left = alive;
        const dying = open(() => (left-- > 0 ? undefined : 'refused'));
        const id = await dying.reserve();
        const died = await push(dying, id, bytes).then(
          () => false,
          () => true,
        );
        if (!died) {
          // Operations: create, two parts, complete, two puts.
          expect(alive).toBe(6);
          expect(equalBytes(await collected(open().stream(id)), bytes)).toBe(true);
          break;
        }
        // Before `complete` there is no pack; after it there is one outside any manifest.
        if (alive < 4) await absent(id);
        expect(await open().leftovers(Number.MAX_SAFE_INTEGER)).toEqual([id]);
        await open().remove(id);
        await absent(id);
        expect(await open().leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
      }
    });

    it('stop retrying once they are aborted', async () => {
      const store = open(always('part', 'refused'));
      const id = await store.reserve();
      const parts = await store.upload(id);
      const writing = parts.write(0, Uint8Array.of(1)).catch((error: unknown) => error);
      await parts.abort();
      expect(await writing).toBeInstanceOf(StorageError);
      expect(count(store, 'part')).toBe(1);
    });

    it('are aborted silently if that fails, too', async () => {
      const store = open(always('abort', 'refused'));
      const parts = await store.upload(await store.reserve());
      await parts.abort();
      await expect(parts.write(0, Uint8Array.of(1))).rejects.toThrow(StorageError);
    });
  });
}

/**
 * Stores a pack like a push: the pack in parts, then the other files. Cleans up nothing, as if the process had died.
 */
async function push(store: PackStore, id: PackId, bytes: Uint8Array): Promise<void> {
  const parts = await store.upload(id);
  await parts.write(0, bytes.subarray(0, store.partSize));
  await parts.write(1, bytes.subarray(store.partSize));
  await parts.complete(bytes.length);
  await store.put(id, 'graph', [Uint8Array.of(1)]);
  await store.put(id, 'idx', [Uint8Array.of(2)]);
}

function testReads({ open, count }: Tools, { hasStreams }: BucketCapabilities): void {
  describe('reads', () => {
    const bytes = sampleBytes(5_000_000, 7);
    let id: PackId;
    beforeEach(async () => {
      id = await open().reserve();
      await open().put(id, 'pack', [bytes]);
    });
    const range = { offset: 70_000, length: 3_000_000 };
    const expected = bytes.subarray(range.offset, range.offset + range.length);
    const ways: readonly (readonly [string, (store: PackStore) => Promise<Uint8Array>])[] = [
      ['ranges', async (store) => (await store.read(id, 'pack', [range]))[0] as Uint8Array],
      ['streams', async (store) => collected(store.stream(id, range.offset, range.offset + range.length))],
      ['framed packs', async (store) => unframed(await collected(store.framed(id))).subarray(70_000, 3_070_000)],
    ];

    it.each(ways.flatMap(([name, read]) => (['refused', 'cut'] as const).map((fault) => [name, fault, read] as const)))(
      'resume %s after one was %s, and fail after four failures in a row',
      async (_, fault, read) => {
        const store = open(first('get', fault, 3));
        expect(equalBytes(await read(store), expected)).toBe(true);
        expect(count(store, 'get')).toBe(4);
        const failing = open(always('get', 'refused'));
        await expect(read(failing)).rejects.toThrow(StorageError);
        expect(count(failing, 'get')).toBe(4);
        expect(failing.waits).toEqual([100, 200, 400]);
      },
    );

    it('wait less after a body that delivered bytes', async () => {
      const store = open(first('get', 'cut', 2));
      await store.read(id, 'pack', [range]);
      expect(store.waits).toEqual([100, 100]);
    });

    it('fail at once for a missing object', async () => {
      const store = open();
      const missing = await store.reserve();
      for (const read of [
        () => store.read(missing, 'pack', [range]),
        () => collected(store.stream(missing)),
        () => collected(store.framed(missing)),
        ...(hasStreams ? [() => store.framed(missing).pipeTo?.(new WritableStream())] : []),
      ])
        await expect(read()).rejects.toThrow(StorageError);
      expect(store.waits).toEqual([]);
    });

    it('are few: nearby ranges are joined up to 4 MiB, and four run at once', async () => {
      const store = open();
      const near = Array.from({ length: 30 }, (_, i) => ({ offset: i * 100_000, length: 10 }));
      await store.read(id, 'pack', near);
      expect(count(store, 'get')).toBe(1);
      await store.read(id, 'pack', [{ offset: 0, length: bytes.length }]);
      expect(count(store, 'get')).toBe(3);
      const far = Array.from({ length: 20 }, (_, i) => ({ offset: i * 240_000, length: 10 }));
      const read = await store.read(id, 'pack', far);
      expect(read).toEqual(far.map(({ offset }) => bytes.slice(offset, offset + 10)));
      expect(count(store, 'get')).toBe(23);
      await Promise.all(Array.from({ length: 5 }, () => store.read(id, 'pack', far)));
      expect(store.reads.most).toBe(4);
    });

    it.runIf(hasStreams)(
      'GIT-069: pipes a whole pack as stored, in one operation, and keeps the writable open',
      async () => {
        const store = open();
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const received = collected(readable);
        const framed = store.framed(id);
        expect(store.billed.classB).toBe(0);
        await framed.pipeTo?.(writable);
        const writer = writable.getWriter();
        await writer.write(Uint8Array.of(7));
        await writer.close();
        const all = await received;
        expect(all.at(-1)).toBe(7);
        expect(equalBytes(unframed(all.subarray(0, -1)), bytes)).toBe(true);
        expect(store.billed).toEqual({ classA: 0, classB: 1, free: 0 });
      },
    );

    it.runIf(hasStreams)('tell which side of a pipe broke', async () => {
      const writable = new WritableStream();
      await expect(open(always('get', 'cut')).framed(id).pipeTo?.(writable)).rejects.toThrow(StorageError);
      // The writable is neither closed nor aborted: the caller ends the reply.
      const writer = writable.getWriter();
      await expect(Promise.race([writer.closed, Promise.resolve('open')])).resolves.toBe('open');
      const left = new WritableStream({
        write() {
          throw new TypeError('the reader left');
        },
      });
      await expect(open().framed(id).pipeTo?.(left)).rejects.toThrow('the reader left');
    });

    it.runIf(hasStreams)('read a body in large steps', async () => {
      let pieces = 0;
      for await (const piece of open().framed(id)) pieces += piece.length > 0 ? 1 : 0;
      expect(pieces).toBeLessThanOrEqual(Math.ceil(bytes.length / 262_080) + 1);
    });
  });
}

function testRemovals(open: Tools['open'], fixture: () => BucketFaultsFixture): void {
  describe('removals', () => {
    const stored = async (): Promise<PackId> => {
      const id = await open().reserve();
      for (const file of packFiles) await open().put(id, file, [Uint8Array.of(1)]);
      return id;
    };
    const keysOf = (id: PackId) => packFiles.map((file) => `${fixture().account}/${id}.${file}`);

    it('are one free operation', async () => {
      const id = await stored();
      const store = open();
      await store.remove(id);
      expect(store.billed).toEqual({ classA: 0, classB: 0, free: 1 });
      for (const key of keysOf(id)) expect(await fixture().bucket.head(key)).toBeNull();
    });

    it.each(['refused', 'lost'] as const)('are repeated when one is %s', async (fault) => {
      const id = await stored();
      await open(first('delete', fault)).remove(id);
      expect(await open().leftovers(Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    it('GIT-153: that fail remain to be done', async () => {
      const id = await stored();
      await expect(open(always('delete', 'refused')).remove(id)).rejects.toThrow(StorageError);
      expect(await open().leftovers(Number.MAX_SAFE_INTEGER)).toEqual([id]);
    });
  });
}

/** Extracts the payload of side-band packets. */
function unframed(packets: Uint8Array): Uint8Array {
  const payload: Uint8Array[] = [];
  for (let at = 0; at < packets.length;) {
    const length = Number.parseInt(new TextDecoder().decode(packets.subarray(at, at + 4)), 16);
    payload.push(packets.subarray(at + 5, at + length));
    at += length;
  }
  const whole = new Uint8Array(payload.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of payload) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
