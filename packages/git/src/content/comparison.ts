import { compareTrees } from '../diff/compare-trees.ts';
import { detectRenames, type DetectedRenames } from '../diff/detect-renames.ts';
import { objectsOf, type ObjectSource } from '../diff/object-source.ts';
import { writePatch } from '../diff/write-patch.ts';
import { compareHistories, comparisonMemory, type HistoryComparison } from '../graph/compare-histories.ts';
import { holding, type Hold } from '../memory/holding.ts';
import { objectIdBytes, type ObjectId } from '../object/object-id.ts';
import { replyStream } from '../reply/reply-stream.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { changedFiles, type ChangedFile } from './changed-files.ts';
import type { Commit } from './commit-record.ts';
import type { ContentReader, HeldView } from './content-reader.ts';
import { readCommits } from './read-log.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { resolveRevision } from './resolve-revision.ts';

/** Maximum number of commits of a comparison (LIM-032). */
const commitsMax = 250;

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
  /** The same as in {@link ChangedFiles}. */
  readonly renames_limited: boolean;
}

/** One side of a comparison. */
export interface ComparisonEnd {
  readonly reader: ContentReader;
  readonly revision: string;
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
  /** The view of `head`, with everything that both readers hold. */
  readonly #held: HeldView;
  readonly #objects: ObjectSource;
  readonly #history: HistoryComparison;
  readonly #renames: DetectedRenames;
  readonly #hold: Hold;

  private constructor(
    held: HeldView,
    objects: ObjectSource,
    history: HistoryComparison,
    commits: { readonly head: ObjectId; readonly mergeBase: ObjectId | null },
    renames: DetectedRenames,
    hold: Hold,
  ) {
    this.head = commits.head;
    this.mergeBase = commits.mergeBase;
    this.#held = held;
    this.#objects = objects;
    this.#history = history;
    this.#renames = renames;
    this.#hold = hold;
  }

  /**
   * Compares two revisions of one repository, or of two whose readers were opened together. Takes over what the readers
   * hold, and releases it if a revision does not resolve: then the name of the first such end.
   *
   * @throws {NotEnoughMemoryError}
   */
  static async open(base: ComparisonEnd, head: ComparisonEnd): Promise<Comparison | 'base' | 'head'> {
    const { view: baseView, visibility: baseVisibility } = base.reader.handOver();
    const held = head.reader.handOver();
    const { view, visibility, account, memoryMax, release } = held;
    try {
      const from = await resolveRevision(baseView, baseVisibility, base.revision);
      const to = await resolveRevision(view, visibility, head.revision);
      if (from === undefined || to === undefined) {
        release();
        return from === undefined ? 'base' : 'head';
      }
      const objects = await objectsOf([view, baseView]);
      if (baseView !== view) await baseView.set.loadNodes(view.work);
      await account.planMore(comparisonMemory(baseView.set, view.set));
      const history = await compareHistories(
        view.work,
        { set: baseView.set, node: from },
        { set: view.set, node: to },
        nodesIn(baseView, view),
        commitsMax,
      );
      const { mergeBase } = history;
      const hold = holding(account, memoryMax);
      const mergeBaseTree = mergeBase < 0 ? undefined : treeOf(baseView, mergeBase);
      const found = await compareTrees(objects, mergeBaseTree, treeOf(view, to), { hold });
      const renames = await detectRenames(objects, found, { hold });
      const commits = { head: commitOf(view, to), mergeBase: mergeBase < 0 ? null : commitOf(baseView, mergeBase) };
      return new Comparison(held, objects, history, commits, renames, hold);
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
      const { files, truncated, ...others } = await changedFiles(this.#objects, this.#renames, this.#hold);
      const objects = this.#history.commits.map((node) => view.set.nodeObjects[node] as number);
      const commits = await readCommits(view, account, objects, memoryMax);
      return {
        merge_base: this.mergeBase,
        ahead,
        behind,
        commits,
        files,
        truncated: truncated || commits.length < ahead,
        ...others,
      };
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
    const pieces = writePatch(this.#objects, this.#renames.changes, this.#held.view.engine.codec, this.#hold);
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

function commitOf(view: RepositoryView, node: number): ObjectId {
  return view.objectId(view.set.nodeObjects[node] as number);
}

function treeOf(view: RepositoryView, node: number): ObjectId {
  return view.objectId(view.set.nodeTrees[node] as number);
}

/** Returns a function that finds the node of a commit in one view by its node in another; -1: it is not there. */
function nodesIn(target: RepositoryView, source: RepositoryView): (node: number) => number {
  if (target === source) return (node) => node;
  const id = new Uint8Array(objectIdBytes);
  return (node) => {
    source.copyObjectId(source.set.nodeObjects[node] as number, id, 0);
    return target.set.findNode(id, 0);
  };
}
