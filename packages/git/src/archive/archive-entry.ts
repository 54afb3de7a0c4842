import type { ObjectId } from '../object/object-id.ts';

/** An entry of an archive. */
export interface ArchiveEntry {
  /** `folder` also stands for a submodule, which is an empty folder. */
  readonly kind: 'file' | 'link' | 'folder';
  readonly isExecutable: boolean;
  /** The whole path as a byte text, with the archive's prefix. A folder has a slash at its end. */
  readonly path: string;
  /** Id of the object before any conversion. */
  readonly hash: ObjectId;
  /** Size in bytes of a file or of the target of a symbolic link; 0 for a folder. */
  readonly size: number;
  /**
   * Content of a file, or target of a symbolic link: at once, or in pieces. Read it before the next entry is asked for.
   * Undefined for a folder.
   */
  readonly content: Uint8Array | AsyncGenerator<Uint8Array, void, undefined> | undefined;
}
