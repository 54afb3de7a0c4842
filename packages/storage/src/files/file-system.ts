/**
 * The file operations that packs need, small enough to be failed or lost one by one in tests. Paths use `/`.
 * Every method rejects with an error that may bear a `code` such as `ENOSPC`.
 */
export interface FileSystem {
  /** Opens an existing file for reading. Rejects with code `ENOENT` if there is none. */
  open(path: string): Promise<ReadableFile>;
  /** Makes an empty file that only the owner may read and write (0600), in place of one of that name. */
  create(path: string): Promise<WritableFile>;
  /** Gives a file another name in the same folder, in place of one of that name. Durable after {@link FileSystem.syncFolder}. */
  rename(from: string, to: string): Promise<void>;
  /**
   * Gives a file a further name, in any folder. Both names stand for the same bytes, which live as long as either does.
   * Durable after {@link FileSystem.syncFolder}. Rejects with code `EEXIST` if there is a file of that name, `ENOENT` if
   * there is none to name, and with others (`EPERM`, `ENOTSUP`, `EXDEV`, `EMLINK` and the like) where that is not possible.
   */
  link(from: string, to: string): Promise<void>;
  /** Removes a file. Succeeds if there is none. */
  remove(path: string): Promise<void>;
  /** Makes a folder (0700) and those above it; durable after {@link FileSystem.syncFolder} of each parent. Succeeds if they exist. */
  makeFolder(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): Promise<void>;
  /** The files in a folder; empty if there is no such folder. */
  list(folder: string): Promise<readonly FileEntry[]>;
}

export interface FileEntry {
  readonly name: string;
  /** Time of the last write under whatever name, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface ReadableFile {
  /** Bytes. */
  readonly size: number;
  /** Fills the buffers one after the other from `position` on; resolves to how many bytes there were, 0 at the end. */
  read(buffers: readonly Uint8Array[], position: number): Promise<number>;
  close(): Promise<void>;
}

export interface WritableFile {
  /** Writes all of the buffers, one after the other, from `position` on. Several writes may be under way. */
  write(buffers: readonly Uint8Array[], position: number): Promise<void>;
  /** Makes the contents durable. */
  sync(): Promise<void>;
  /** Waits for what is under way. Idempotent. */
  close(): Promise<void>;
}
