import type { FileSystem } from './file-system.ts';

/** Forgotten all at once when there are more: making sure again costs little. */
const knownMax = 10_000;

/** Makes sure, once a process, that the folders of repositories are there and will be after a power cut. */
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
    // Also if it was there: whoever made it may have died before this.
    await this.#fileSystem.syncFolder(`${this.#root}/${account}`);
    await this.#fileSystem.syncFolder(this.#root);
  }
}
