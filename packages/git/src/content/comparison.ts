import { fromByteText } from '../bytes/byte-text.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { percentOf, statusOf, type Change, type ChangeStatus } from '../diff/change.ts';
import { countChange } from '../diff/compare-contents.ts';
import { compareTrees } from '../diff/compare-trees.ts';
import { detectRenames } from '../diff/detect-renames.ts';
import { objectsOf, type ObjectSource } from '../diff/object-source.ts';
import { writePatch } from '../diff/write-patch.ts';
import { compareHistories, type HistoryComparison } from '../graph/compare-histories.ts';
import { holding, type Hold } from '../memory/holding.ts';
import type { ObjectId } from '../object/object-id.ts';
import { replyStream } from '../reply/reply-stream.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import type { Commit } from './commit-record.ts';
import type { ContentReader, HeldView } from './content-reader.ts';
import { readCommits } from './read-log.ts';
import { resolveRevision } from './resolve-revision.ts';
import { formOfMode, type TreeMode } from './tree-entries.ts';

/** Maximum number of changed files of a comparison (LIM-030). */
const filesMax = 3000;
/** Maximum number of commits of a comparison (LIM-032). */
const commitsMax = 250;

/** A changed file (REPO-272). */
export interface ChangedFile {
  /** Malformed UTF-8 is replaced with U+FFFD; for a deleted file its old path. */
  readonly path: string;
  /** Null unless the file was renamed. */
  readonly previous_path: string | null;
  readonly status: ChangeStatus;
  readonly old_mode: TreeMode | null;
  readonly new_mode: TreeMode | null;
  readonly old_hash: ObjectId | null;
  readonly new_hash: ObjectId | null;
  /** Percentage of a rename, else null. */
  readonly similarity: number | null;
  /** 0 for a binary file. */
  readonly additions: number;
  readonly deletions: number;
  readonly binary: boolean;
}

/** Two commits compared (REPO-271). */
export interface ComparisonSummary {
  /** Null if the histories have nothing in common; then the empty tree is compared with `head`. */
  readonly merge_base: ObjectId | null;
  readonly ahead: number;
  readonly behind: number;
  /** Commits that only `head` reaches, newest first. */
  readonly commits: readonly Commit[];
  /** In the order of their paths as bytes. */
  readonly files: readonly ChangedFile[];
  /** True if commits or files are missing, since there are too many. */
  readonly truncated: boolean;
}

/**
 * A comparison of the merge base of two commits with the second of them. It holds memory and packs until its patch has been
 * read or cancelled, or {@link Comparison.release} is called: do one of these.
 */
export class Comparison {
  /** The commit `head`. */
  readonly head: ObjectId;
  /** The merge base; null without one. */
  readonly mergeBase: ObjectId | null;
  readonly #held: HeldView;
  readonly #objects: ObjectSource;
  readonly #history: HistoryComparison;
  readonly #changes: readonly Change[];
  readonly #hold: Hold;

  private constructor(
    held: HeldView,
    objects: ObjectSource,
    history: HistoryComparison,
    head: number,
    changes: readonly Change[],
    hold: Hold,
  ) {
    const { view } = held;
    const idOf = (node: number): ObjectId => view.objectId(view.set.nodeObjects[node] as number);
    this.head = idOf(head);
    this.mergeBase = history.mergeBase < 0 ? null : idOf(history.mergeBase);
    this.#held = held;
    this.#objects = objects;
    this.#history = history;
    this.#changes = changes;
    this.#hold = hold;
  }

  /**
   * Compares two revisions. Takes over what the reader holds, and releases it if one does not resolve: then undefined.
   *
   * @throws {NotEnoughMemoryError}
   */
  static async open(reader: ContentReader, base: string, head: string): Promise<Comparison | undefined> {
    const held = reader.handOver();
    const { view, visibility, account, memoryMax, release } = held;
    try {
      const from = await resolveRevision(view, visibility, base);
      const to = await resolveRevision(view, visibility, head);
      if (from === undefined || to === undefined) {
        release();
        return undefined;
      }
      // A byte a node for each side, and for the children of common ones.
      await account.planMore(3 * view.set.nodeCount);
      const history = await compareHistories(view.work, view.set, from, to, commitsMax);
      const objects = await objectsOf([view]);
      const hold = holding(account, memoryMax);
      const treeOf = (node: number): ObjectId | undefined =>
        node < 0 ? undefined : view.objectId(view.set.nodeTrees[node] as number);
      const found = await compareTrees(objects, treeOf(history.mergeBase), treeOf(to), { hold });
      const { changes } = await detectRenames(objects, found, { hold });
      return new Comparison(held, objects, history, to, changes, hold);
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Returns everything except the lines, and releases the comparison.
   *
   * @throws {NotEnoughMemoryError}
   */
  async summary(): Promise<ComparisonSummary> {
    const { view, account, memoryMax, release } = this.#held;
    const { ahead, behind } = this.#history;
    try {
      const files: ChangedFile[] = [];
      for (const change of this.#changes.slice(0, filesMax)) {
        files.push(changedFile(change, await countChange(this.#objects, change, this.#hold)));
      }
      const objects = this.#history.commits.map((node) => view.set.nodeObjects[node] as number);
      const commits = await readCommits(view, account, objects, memoryMax);
      const truncated = files.length < this.#changes.length || commits.length < ahead;
      return { merge_base: this.mergeBase, ahead, behind, commits, files, truncated };
    } finally {
      release();
    }
  }

  /**
   * Returns the patch as a stream, which reads on demand and breaks off if that fails. Call it once.
   *
   * @param failed called with the error that broke off the stream, for logs.
   */
  patch(failed: (error: unknown) => void): ReadableStream<Uint8Array> {
    const pieces = writePatch(this.#objects, this.#changes, this.#held.view.engine.codec, this.#hold);
    return replyStream(pieces, {
      keepAlive: undefined,
      released: () => {
        // Closing the stream does not close a generator that it has not started.
        void pieces.return().catch(() => {});
        this.release();
      },
      failure: (error) => {
        if (!(error instanceof WorkAbortedError)) failed(error);
        return undefined;
      },
    });
  }

  /** Releases everything. Idempotent. */
  release(): void {
    this.#held.release();
  }
}

function changedFile(
  change: Change,
  { added, deleted, isBinary }: Awaited<ReturnType<typeof countChange>>,
): ChangedFile {
  const { old, new: to, score } = change;
  const path = (text = ''): string => decodeLossy(fromByteText(text));
  return {
    path: path((to ?? old)?.path),
    previous_path: score === undefined ? null : path(old?.path),
    status: statusOf(change),
    old_mode: old === undefined ? null : formOfMode(old.mode).mode,
    new_mode: to === undefined ? null : formOfMode(to.mode).mode,
    old_hash: old?.oid ?? null,
    new_hash: to?.oid ?? null,
    similarity: score === undefined ? null : percentOf(score),
    additions: added,
    deletions: deleted,
    binary: isBinary,
  };
}
