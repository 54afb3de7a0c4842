import type { PackId, PackStore } from '@packhouse/git';

/** The pack stores of all repositories. */
export interface PackStores {
  /** Opens the packs of one repository, without I/O. @throws {RangeError} for an invalid account or id. */
  repo(account: string, id: string): PackStore;
  /**
   * Shares packs of the repository `from` with `to`, as begun packs. Idempotent, and durable when resolved. The caller
   * checks afterwards that `from` still has them.
   *
   * @returns false if `from` lacks a file of them.
   * @throws {RangeError} for an invalid account or id.
   * @throws {StorageError}
   */
  share(account: string, from: string, to: string, ids: readonly PackId[]): Promise<boolean>;
  /** Closes files and connections. */
  close(): void;
}
