import { closeSync, openSync, statSync } from 'node:fs';
import { StorageGoneError } from '@packhouse/git';

/** The folders and files that storage was opened with. */
export interface SamePlaces {
  /** @throws {StorageGoneError} if one was deleted, moved or replaced. */
  demand(): void;
  /** Idempotent. */
  close(): void;
}

/**
 * Remembers which files lie at these paths: their names may lead elsewhere later, while they stay open (REPO-178).
 * `folders` are held open, so that no new folder gets the number of an old one; of `files` the caller does that.
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

/** Windows opens no folders, nor deletes what is open. */
function opened(folder: string): number[] {
  try {
    return [openSync(folder, 'r')];
  } catch {
    return [];
  }
}
