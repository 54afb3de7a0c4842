import { fromByteText } from '../bytes/byte-text.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { ContentReader, type ContentOptions } from '../content/content-reader.ts';
import type { Version } from '../diff/change.ts';
import { changesBetween, TooManyChangesError, type TreeSource } from '../diff/compare-trees.ts';
import { objectsOf } from '../diff/object-source.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { ObjectId } from '../object/object-id.ts';
import { PackError } from '../pack/pack-error.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';

/** Maximum number of paths that a commit lists, and of their bytes (LIM-040). */
const pathsMax = 10_000;
const pathBytesMax = 1024 * 1024;

/** Paths of the files that differ between two trees, as bytes in order. */
export interface ChangedPaths {
  /** Malformed UTF-8 is replaced with U+FFFD. */
  readonly paths: readonly string[];
  /** True if paths are missing, since there are too many. */
  readonly truncated: boolean;
}

/** The trees before and after a commit; undefined for none. */
export interface TreePair {
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
}

/**
 * Lists the paths of the files that differ between two trees. Opens only trees that differ.
 *
 * @param hold receives bytes of trees that are held from now on, or no longer if negative. It may throw.
 */
export async function changedPaths(
  objects: TreeSource,
  { from, to }: TreePair,
  hold: (bytes: number) => void,
): Promise<ChangedPaths> {
  const paths: string[] = [];
  let bytes = 0;
  try {
    for await (const change of changesBetween(objects, from, to, hold)) {
      const { path } = (change.new ?? change.old) as Version;
      bytes += path.length;
      if (paths.length === pathsMax || bytes > pathBytesMax) return { paths, truncated: true };
      paths.push(decodeLossy(fromByteText(path)));
    }
  } catch (error) {
    if (!(error instanceof TooManyChangesError)) throw error;
    return { paths, truncated: true };
  }
  return { paths, truncated: false };
}

/**
 * Lists them for a commit that was made before. Its trees may have been collected since: then no path is listed.
 *
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function readChangedPaths(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  trees: TreePair,
  options: ContentOptions,
): Promise<ChangedPaths> {
  const { view, account, release } = (await ContentReader.open(engine, repository, snapshot, options)).handOver();
  try {
    return await changedPaths(await objectsOf([view]), trees, (bytes) => {
      const shortage = bytes > 0 ? account.keep(bytes) : undefined;
      if (shortage !== undefined) throw shortage;
    });
  } catch (error) {
    if (error instanceof PackError) return { paths: [], truncated: true };
    throw error;
  } finally {
    release();
  }
}
