import type { ObjectId } from '../object/object-id.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { findFile, pathParts } from './find-file.ts';
import type { HeldMemory } from './held-memory.ts';
import { shownMemory } from './shown-memory.ts';
import type { TreeMode } from './tree-entries.ts';

/** A file or symbolic link that was read with others. */
export interface ReadFile {
  readonly mode: TreeMode;
  readonly hash: ObjectId;
  /** Size in bytes. */
  readonly size: number;
  /** Undefined if it did not fit beside those before it. */
  readonly body: Uint8Array | undefined;
}

/**
 * Reads the files at some paths of a commit's node, in their order; undefined for a path that names no file (REPO-147).
 *
 * @param bytesMax maximum bytes of all bodies together. A file that does not fit is skipped, later ones may fit.
 */
export async function readFiles(
  view: RepositoryView,
  memory: HeldMemory,
  commitNode: number,
  paths: readonly Uint8Array[],
  bytesMax: number,
): Promise<readonly (ReadFile | undefined)[]> {
  let left = bytesMax;
  const files: (ReadFile | undefined)[] = [];
  for (const path of paths) {
    const parts = pathParts(path);
    const found = parts === undefined ? undefined : await findFile(view, commitNode, parts);
    if (found === undefined) {
      files.push(undefined);
      continue;
    }
    const { mode, hash, object } = found;
    const size = view.set.size(object);
    const fits = size <= left;
    await memory.add(shownMemory(fits ? size : 0));
    if (fits) left -= size;
    // The body is valid until the next read.
    files.push({ mode, hash, size, body: fits ? (await view.read(object)).body.slice() : undefined });
  }
  return files;
}
