import {
  newPackId,
  packFiles,
  StorageError,
  type ByteRange,
  type FramedPack,
  type PackFile,
  type PackId,
  type PackStore,
  type PackUpload,
} from '@packhouse/git';
import { framePayload } from '../packs/framing.ts';
import { checkPackId } from '../packs/pack-id.ts';
import { streamBounds } from '../packs/ranges.ts';
import type { PackReservations } from '../packs/reservations.ts';
import type { PackHolders } from '../packs/holders.ts';
import {
  openFixedLengthStream,
  type Bucket,
  type BucketBody,
  type OpenSizedStream,
  type PiecedBody,
} from './bucket.ts';
import { framed, payloadSize, plain, storedOffset, storedSize, stretches } from './layout.ts';
import { Multipart } from './multipart.ts';
import { ObjectReader } from './object-reader.ts';
import { readRanges } from './read-ranges.ts';
import { retried, sleepWithJitter, type Sleep } from './retry.ts';
import { sendBody } from './send-body.ts';
import { Traffic, type OnOperation } from './traffic.ts';

/** Frames per part: 8,386,560 stored bytes, just below 8 MiB, so that parts are equal and contain whole frames. */
const framesInPart = 128;

export interface BucketPackStoreOptions {
  readonly bucket: Bucket | Bucket<PiecedBody>;
  /** Prefix of the keys: letters, digits, `-` and `_`. */
  readonly account: string;
  readonly repoId: string;
  readonly reservations: PackReservations;
  /** Holders of the account's packs. */
  readonly holders: PackHolders;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  readonly onOperation?: OnOperation;
  /** Waits between attempts. Default: a timer, with jitter. */
  readonly sleep?: Sleep;
  /** Opens the stream of a large body; null if the bucket takes pieces. Default: `FixedLengthStream` of Workers. */
  readonly openStream?: OpenSizedStream | null;
}

/**
 * Stores the packs of one repository in a bucket, as `<account>/<pack id>.pack`, `.graph` and `.idx`. Forks read
 * the objects of their parent (`shareBucketPacks`). Ids are random, and only manifests contain them, so a repository finds
 * only its own packs. The `.pack` object contains side-band packets, so that `framed` is its unchanged body. Keys are
 * never reused, and the bucket is never listed. A bucket that takes pieces has no `pipeTo`: a pipe cannot resume a broken
 * body, and only a native one is worth that.
 *
 * Make one per request: its reads wait for each other, which reads of different requests in a Worker must not.
 *
 * @throws {RangeError} for an invalid account.
 */
export function bucketPackStore(options: BucketPackStoreOptions): PackStore {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(options.account)) throw new RangeError('Not an account id');
  return new BucketPackStore(options);
}

class BucketPackStore implements PackStore {
  readonly partSize: number = framesInPart * framePayload;
  readonly #bucket: Bucket<BucketBody>;
  readonly #account: string;
  readonly #repoId: string;
  readonly #reservations: PackReservations;
  readonly #holders: PackHolders;
  readonly #now: () => number;
  readonly #sleep: Sleep;
  readonly #openStream: OpenSizedStream | null;
  readonly #traffic: Traffic;
  readonly #reader: ObjectReader;

  constructor(options: BucketPackStoreOptions) {
    this.#bucket = options.bucket;
    this.#account = options.account;
    this.#repoId = options.repoId;
    this.#reservations = options.reservations;
    this.#holders = options.holders;
    this.#now = options.now ?? Date.now;
    this.#sleep = options.sleep ?? sleepWithJitter;
    this.#openStream = options.openStream === undefined ? openFixedLengthStream : options.openStream;
    this.#traffic = new Traffic(options.onOperation ?? (() => undefined));
    this.#reader = new ObjectReader(this.#bucket, this.#traffic, this.#sleep);
  }

  async reserve(): Promise<PackId> {
    const id = newPackId();
    await this.#reservations.reserve([id], this.#now());
    return id;
  }

  async put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void> {
    const key = this.#key(id, file);
    const onlyIf = new Headers({ 'if-none-match': '*' });
    await retried(this.#sleep, async (attempt) => {
      // Perhaps only the reply was lost. Look first, since a key allows one write per second.
      if (attempt > 0 && (await this.#isStored(key, file, chunks))) return;
      this.#traffic.count('classA');
      const stored = await sendBody(layoutOf(file), chunks, this.#openStream, (body) =>
        this.#bucket.put(key, body, { onlyIf }),
      );
      if (stored !== null) return;
      // The key exists: either an earlier attempt arrived late, which the next look shows, or the file was put before.
      const taken = `There is a ${key} already`;
      throw attempt > 0 ? new Error(taken) : new StorageError(taken);
    });
  }

  async upload(id: PackId): Promise<PackUpload> {
    const key = this.#key(id, 'pack');
    const upload = await retried(this.#sleep, () => {
      this.#traffic.count('classA');
      return this.#bucket.createMultipartUpload(key);
    });
    return new Multipart({
      key,
      upload,
      partSize: this.partSize,
      reader: this.#reader,
      traffic: this.#traffic,
      openStream: this.#openStream,
      sleep: this.#sleep,
    });
  }

  async read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
    return readRanges(this.#reader, this.#traffic, layoutOf(file), this.#key(id, file), ranges);
  }

  async *stream(id: PackId, start = 0, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
    const key = this.#key(id, 'pack');
    // With a given `end`, this costs one operation: the read itself shows if the object is long enough.
    const bounds = streamBounds(end ?? (await this.#payloadSize(key)), start, end);
    if (bounds.start === bounds.end) return;
    const stretch = { start: storedOffset(framed, bounds.start), end: storedOffset(framed, bounds.end - 1) + 1 };
    let at = stretch.start;
    for await (const piece of this.#reader.read(key, { stretch })) {
      for (const { at: from, length } of stretches(framed, at, piece.length)) yield piece.subarray(from, from + length);
      at += piece.length;
    }
  }

  framed(id: PackId): FramedPack {
    const open = (): string => this.#key(id, 'pack');
    const reader = this.#reader;
    const chunks: FramedPack = {
      async *[Symbol.asyncIterator]() {
        yield* reader.read(open());
      },
    };
    if (this.#openStream === null) return chunks;
    return { ...chunks, pipeTo: async (writable) => pipeFramed(await reader.body(open()), writable) };
  }

  async remove(id: PackId): Promise<void> {
    const keys = packFiles.map((file) => this.#key(id, file));
    const { unheld, noted } = await this.#holders.release([id], this.#repoId);
    if (unheld.includes(id)) {
      // First, since an upload that is just being completed becomes an object.
      await retried(this.#sleep, async () => this.#bucket.abortUpload?.(this.#key(id, 'pack')));
      await retried(this.#sleep, () => {
        this.#traffic.count('free');
        return this.#bucket.delete(keys);
      });
    }
    // Drop the notes last: until the bytes are gone, only the notes lead to them.
    if (noted.includes(id)) await this.#holders.drop([id], this.#repoId);
    await this.#reservations.drop(id);
  }

  async leftovers(before: number): Promise<readonly PackId[]> {
    // Include held packs: a fork may have died before it had begun them.
    const [begun, held] = await Promise.all([
      this.#reservations.before(before),
      this.#holders.held(this.#repoId, before),
    ]);
    return [...new Set([...begun, ...held])];
  }

  async #payloadSize(key: string): Promise<number> {
    const size = await this.#reader.size(key);
    if (size === null) throw new StorageError(`There is no ${key}`);
    return payloadSize(framed, size);
  }

  async #isStored(key: string, file: PackFile, chunks: readonly Uint8Array[]): Promise<boolean> {
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    return (await this.#reader.head(key)) === storedSize(layoutOf(file), size);
  }

  #key(id: PackId, file: PackFile): string {
    return `${this.#account}/${checkPackId(id)}.${file}`;
  }
}

function layoutOf(file: PackFile): typeof framed {
  return file === 'pack' ? framed : plain;
}

/**
 * Pipes a body into `writable`, which is neither closed nor aborted.
 *
 * @throws {StorageError} if the body fails; the error of `writable` if that one does and shows it. A native stream of
 * Workers shows only to the next write that its reader left: then it is a `StorageError` with that as its cause.
 */
async function pipeFramed(body: ReadableStream<Uint8Array>, writable: WritableStream<Uint8Array>): Promise<void> {
  try {
    await body.pipeTo(writable, { preventClose: true, preventAbort: true });
  } catch (error) {
    if (hasFailed(writable)) throw error;
    throw new StorageError('The body of a pack broke off', { cause: error });
  }
}

function hasFailed(writable: WritableStream<Uint8Array>): boolean {
  const writer = writable.getWriter();
  try {
    return writer.desiredSize === null;
  } finally {
    writer.releaseLock();
  }
}
