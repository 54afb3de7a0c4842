/** Errors carry the numbers of R2 where it has them. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
}

interface Multipart {
  readonly key: string;
  readonly parts: Map<number, Uint8Array>;
  state: 'open' | 'complete' | 'aborted';
}

export interface StrictBucketOptions {
  /** Least bytes of a part but the last. Default 5 MiB. */
  readonly partMin?: number;
  /** Most parts. Default 10,000. */
  readonly partsMax?: number;
}

/**
 * An object store with R2's rules (docs/design/workers.md, Limits), and a stricter one: a key is never used twice, not
 * even after its object was deleted. Takes bodies only after a pause, so that buffers reused too early show.
 */
export class StrictBucket {
  readonly #partMin: number;
  readonly #partsMax: number;
  readonly #objects = new Map<string, Uint8Array>();
  readonly #usedKeys = new Set<string>();

  constructor(options: StrictBucketOptions = {}) {
    this.#partMin = options.partMin ?? 5 * 1_048_576;
    this.#partsMax = options.partsMax ?? 10_000;
  }

  /** Keys of all objects. */
  get keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /** Stores an object whose length is known beforehand. */
  async put(key: string, length: number, chunks: readonly Uint8Array[]): Promise<void> {
    const body = await taken(chunks);
    if (body.length !== length) throw new BucketError(`The body has ${body.length} bytes, not ${length}`);
    this.#publish(key, body);
  }

  /** Begins a multipart upload. Parts are checked when it is completed, not before. */
  async begin(key: string): Promise<Multipart> {
    await pause();
    return { key, parts: new Map(), state: 'open' };
  }

  /** `number` counts from 1. */
  async uploadPart(upload: Multipart, number: number, part: Uint8Array): Promise<void> {
    const body = await taken([part]);
    if (upload.state !== 'open') throw new BucketError('10024: the upload does not exist');
    if (!Number.isInteger(number) || number < 1 || number > this.#partsMax)
      throw new BucketError('The number of the part is out of range');
    upload.parts.set(number, body);
  }

  async complete(upload: Multipart): Promise<void> {
    await pause();
    if (upload.state !== 'open') throw new BucketError('10024: the upload does not exist');
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    const size = parts[0]?.length ?? 0;
    parts.forEach((part, i) => {
      const last = i === parts.length - 1;
      if (!last && part.length < this.#partMin) throw new BucketError('10011: a part is too small');
      if (last ? part.length > size : part.length !== size) throw new BucketError('10048: parts differ in size');
    });
    if (parts.length === 0) throw new BucketError('There are no parts');
    this.#publish(upload.key, await taken(parts));
    upload.state = 'complete';
  }

  async abort(upload: Multipart): Promise<void> {
    await pause();
    if (upload.state === 'complete') throw new BucketError('10024: the upload does not exist');
    upload.state = 'aborted';
    upload.parts.clear();
  }

  /** Bytes of an object, or null. */
  async head(key: string): Promise<number | null> {
    await pause();
    return this.#objects.get(key)?.length ?? null;
  }

  /** A range of an object, or null if there is no such object. Ranges that end behind it throw. */
  async get(key: string, offset: number, length: number): Promise<Uint8Array | null> {
    await pause();
    const object = this.#objects.get(key);
    if (object === undefined) return null;
    const inside =
      Number.isInteger(offset) &&
      Number.isInteger(length) &&
      offset >= 0 &&
      length >= 1 &&
      offset + length <= object.length;
    if (!inside) throw new BucketError('10039: the range is not satisfiable');
    return object.slice(offset, offset + length);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await pause();
    for (const key of keys) this.#objects.delete(key);
  }

  #publish(key: string, body: Uint8Array): void {
    if (this.#usedKeys.has(key)) throw new BucketError(`The key ${key} was used before`);
    this.#usedKeys.add(key);
    this.#objects.set(key, body);
  }
}

async function taken(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  await pause();
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** Long enough for everything that is ready to run. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}
