import { StorageError, type PackUpload } from '@packhouse/git';
import { PartSizes } from '../packs/part-sizes.ts';
import type { BucketBody, BucketPart, BucketUpload, OpenSizedStream } from './bucket.ts';
import { framed, storedSize } from './layout.ts';
import type { ObjectReader } from './object-reader.ts';
import { retried, type Sleep } from './retry.ts';
import { sendBody } from './send-body.ts';
import type { Traffic } from './traffic.ts';

export interface MultipartOptions {
  readonly key: string;
  readonly upload: BucketUpload<BucketBody>;
  readonly partSize: number;
  readonly reader: ObjectReader;
  readonly traffic: Traffic;
  readonly openStream: OpenSizedStream | null;
  readonly sleep: Sleep;
}

/** An upload of a `.pack` file to a bucket, in parts of whole frames. */
export class Multipart implements PackUpload {
  readonly #options: MultipartOptions;
  readonly #sizes: PartSizes;
  readonly #parts = new Map<number, BucketPart>();
  #state: 'open' | 'completing' | 'complete' | 'aborted' = 'open';

  constructor(options: MultipartOptions) {
    this.#options = options;
    this.#sizes = new PartSizes(options.partSize);
  }

  async write(index: number, part: Uint8Array): Promise<void> {
    const { upload, traffic, openStream, sleep } = this.#options;
    this.#demand('open');
    this.#sizes.add(index, part.length);
    const stored = await retried(sleep, () => {
      this.#demand('open');
      traffic.count('classA');
      return sendBody(framed, [part], openStream, (body) => upload.uploadPart(index + 1, body));
    });
    this.#parts.set(index, stored);
  }

  async complete(size: number): Promise<void> {
    const { sleep } = this.#options;
    this.#demand('open');
    this.#sizes.checkComplete(size);
    const parts = [...this.#parts.values()].sort((a, b) => a.partNumber - b.partNumber);
    if (parts.length !== this.#sizes.count) throw new StorageError('A part is still being written');
    this.#state = 'completing';
    await retried(sleep, () => this.#completeOnce(parts, storedSize(framed, size)));
    this.#state = 'complete';
  }

  async #completeOnce(parts: BucketPart[], size: number): Promise<void> {
    const { key, upload, reader, traffic } = this.#options;
    this.#demand('completing');
    traffic.count('classA');
    try {
      await upload.complete(parts);
    } catch (error) {
      // Perhaps only the reply was lost, which a second call could not reveal.
      if ((await reader.head(key)) !== size) throw error;
    }
  }

  async abort(): Promise<void> {
    if (this.#state === 'complete') return;
    this.#state = 'aborted';
    this.#options.traffic.count('free');
    // If this fails, the bucket drops the upload after seven days.
    await this.#options.upload.abort().catch(() => undefined);
  }

  #demand(state: 'open' | 'completing'): void {
    if (this.#state !== state) throw new StorageError('The upload has ended');
  }
}
