import { StorageError, type PackUpload } from '@packhouse/git';
import { PartSizes } from '../packs/part-sizes.ts';
import type { PendingFile } from './pending-file.ts';

/** An upload into a file. Parts are written to their final positions. */
export class FileUpload implements PackUpload {
  readonly #partSize: number;
  readonly #parts: PartSizes;
  readonly #file: PendingFile;
  readonly #wrap: (error: unknown) => StorageError;
  #writing = 0;
  #state: 'open' | 'broken' | 'complete' | 'aborted' = 'open';

  constructor(file: PendingFile, partSize: number, wrap: (error: unknown) => StorageError) {
    this.#file = file;
    this.#partSize = partSize;
    this.#parts = new PartSizes(partSize);
    this.#wrap = wrap;
  }

  async write(index: number, part: Uint8Array): Promise<void> {
    this.#demandOpen();
    this.#writing += 1;
    try {
      this.#parts.add(index, part.length);
      await this.#file.write([part], index * this.#partSize);
    } catch (error) {
      this.#fail();
      throw this.#wrap(error);
    } finally {
      this.#writing -= 1;
    }
  }

  async complete(size: number): Promise<void> {
    this.#demandOpen();
    try {
      if (this.#writing > 0) throw new StorageError('Parts are still being written');
      this.#parts.checkComplete(size);
      this.#state = 'complete';
      await this.#file.publish();
    } catch (error) {
      this.#fail();
      await this.#file.discard();
      throw this.#wrap(error);
    }
  }

  async abort(): Promise<void> {
    if (this.#state === 'complete' || this.#state === 'aborted') return;
    this.#state = 'aborted';
    await this.#file.discard();
  }

  #demandOpen(): void {
    if (this.#state !== 'open') throw new StorageError(`The upload is ${this.#state}`);
  }

  #fail(): void {
    if (this.#state !== 'aborted') this.#state = 'broken';
  }
}
