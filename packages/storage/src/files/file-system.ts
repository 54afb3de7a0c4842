/**
 * The file operations that packs need, few enough for tests to fail or lose each one. Paths use `/`. Every method may
 * reject with an error that has a `code` such as `ENOSPC`.
 */
export interface FileSystem {
  /** Opens an existing file for reading. Rejects with code `ENOENT` if it is missing. */
  open(path: string): Promise<ReadableFile>;
  /** Creates an empty file for the owner only (0600), replacing one of that name. */
  create(path: string): Promise<WritableFile>;
  /** Renames a file within its folder, replacing one of that name. Durable after {@link FileSystem.syncFolder}. */
  rename(from: string, to: string): Promise<void>;
  /**
   * Creates another name for a file, in any folder. The bytes live as long as one of their names. Durable after {@link
   * FileSystem.syncFolder}. Rejects with code `EEXIST` if `to` exists, `ENOENT` if `from` is missing, and with other
   * codes (`EPERM`, `ENOTSUP`, `EXDEV`, `EMLINK` and the like) if links are not possible.
   */
  link(from: string, to: string): Promise<void>;
  /** Removes a file. Succeeds if it is missing. */
  remove(path: string): Promise<void>;
  /**
   * Creates a folder (0700) and its parents. Durable after {@link FileSystem.syncFolder} of each parent. Succeeds if
   * they exist.
   */
  makeFolder(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** Lists the files in a folder; empty if the folder is missing. */
  list(folder: string): Promise<readonly FileEntry[]>;
}

export interface FileEntry {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last write under any name, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface ReadableFile {
  /** Size in bytes. */
  readonly size: number;
  /** Fills the buffers in order from `position` on. Resolves to the number of bytes read, 0 at the end. */
  read(buffers: readonly Uint8Array[], position: number): Promise<number>;
  close(): Promise<void>;
}

export interface WritableFile {
  /** Writes all buffers in order from `position` on. Writes may be concurrent. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** Makes the contents durable. */
  sync(): Promise<void>;
  /** Waits for pending writes, then closes. Idempotent. */
  close(): Promise<void>;
}
