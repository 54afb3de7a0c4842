import type { FileSystem } from './file-system.ts';

/** Beyond this number the cache is cleared, since checking a folder again is cheap. */
const knownMax = 10_000;

/** Ensures that the folders of repositories exist durably, once per process. */
export class RepoFolders {
  readonly #fileSystem: FileSystem;
  readonly #root: string;
  readonly #known = new Map<string, Promise<void>>();

  constructor(fileSystem: FileSystem, root: string) {
    this.#fileSystem = fileSystem;
    this.#root = root;
  }

  path(account: string, id: string): string {
    return `${this.#root}/${account}/${id}`;
  }

  async ensure(account: string, id: string): Promise<void> {
    const path = this.path(account, id);
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const making = this.#make(account, path);
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(path, making);
    try {
      await making;
    } catch (error) {
      this.#known.delete(path);
      throw error;
    }
  }

  async #make(account: string, path: string): Promise<void> {
    await this.#fileSystem.makeFolder(path);
    // Sync even if it existed: the process that created it may have died before its sync.
    await this.#fileSystem.syncFolder(`${this.#root}/${account}`);
    await this.#fileSystem.syncFolder(this.#root);
  }
}
