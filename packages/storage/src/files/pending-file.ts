import type { FileSystem, WritableFile } from './file-system.ts';

/** Suffix of files that are still being written. */
export const pendingSuffix = '.tmp';

/** A file that is written under a temporary name, and renamed once it is complete and durable. */
export class PendingFile {
  readonly #fileSystem: FileSystem;
  readonly #folder: string;
  readonly #path: string;
  readonly #file: WritableFile;
  readonly #demandPresent: () => void;
  #renamed = false;

  private constructor(
    fileSystem: FileSystem,
    folder: string,
    name: string,
    file: WritableFile,
    demandPresent: () => void,
  ) {
    this.#fileSystem = fileSystem;
    this.#folder = folder;
    this.#path = `${folder}/${name}`;
    this.#file = file;
    this.#demandPresent = demandPresent;
  }

  /** @param demandPresent is called once the file is published; throws if it is in another folder by now. */
  static async create(
    fileSystem: FileSystem,
    folder: string,
    name: string,
    demandPresent: () => void = () => undefined,
  ): Promise<PendingFile> {
    const path = `${folder}/${name}${pendingSuffix}`;
    try {
      return new PendingFile(fileSystem, folder, name, await fileSystem.create(path), demandPresent);
    } catch (error) {
      // The file may exist all the same.
      await fileSystem.remove(path).catch(() => undefined);
      throw error;
    }
  }

  async write(buffers: readonly Uint8Array[], position: number): Promise<void> {
    await this.#file.write(buffers, position);
  }

  /** Makes the file visible and durable. If that fails, call {@link PendingFile.discard}. */
  async publish(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    this.#renamed = true;
    await this.#fileSystem.rename(this.#path + pendingSuffix, this.#path);
    await this.#fileSystem.syncFolder(this.#folder);
    this.#demandPresent();
  }

  /** Removes the file as far as possible. The sweep removes leftovers. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await this.#fileSystem.remove(this.#path + pendingSuffix).catch(() => undefined);
    // A rename that failed may have taken effect.
    if (this.#renamed) await this.#fileSystem.remove(this.#path).catch(() => undefined);
  }
}
