import { closeSync, openSync, statSync } from 'node:fs';
import { StorageGoneError } from '@packhouse/git';

/** The folders and files with which storage was opened. */
export interface SamePlaces {
  /** @throws {StorageGoneError} if one was deleted, moved or replaced. */
  demand(): void;
  /** Idempotent. */
  close(): void;
}

/**
 * Records the identity of the files at these paths, since their names may later lead elsewhere while they stay open
 * (REPO-178). Keeps `folders` open, so that the system does not reuse their inode numbers; the caller keeps `files`
 * open.
 */
export function rememberPlaces(folders: readonly string[], files: readonly string[]): SamePlaces {
  const paths = [...folders, ...files];
  const known = paths.map(identityOf);
  const held = folders.flatMap(opened);
  return {
    demand() {
      paths.forEach((path, i) => {
        const now = identityOf(path);
        if (now === undefined || now !== known[i]) throw new StorageGoneError();
      });
    },
    close() {
      for (const descriptor of held.splice(0)) closeSync(descriptor);
    },
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** Windows cannot open folders, and does not delete open ones. */
function opened(folder: string): number[] {
  try {
    return [openSync(folder, 'r')];
  } catch {
    return [];
  }
}
