import type { ObjectId } from '../object/object-id.ts';
import type { KeyedResult, RecordedEvent } from '../ports/repo-state.ts';
import type { WorkOptions } from '../work/scheduler.ts';
import type { DescribedUpdate } from './describe/describe-updates.ts';

/** Rules of a push. Sizes are in bytes. */
export interface PushRules extends WorkOptions {
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Refuses non-fast-forward updates (GIT-126). */
  readonly denyNonFastForward: boolean;
  /**
   * Tells which commands, by their number, may move their ref only forward, besides those of `denyNonFastForward`.
   * Default: none.
   */
  readonly mustBeForward?: ((command: number) => boolean) | undefined;
  /** Requires sorted and unique tree entries (GIT-146). */
  readonly strictObjects: boolean;
  /** Maximum size of a blob (LIM-051). */
  readonly blobMax: number;
  /** Maximum size of a tree (LIM-056). */
  readonly objectMax: number;
  /** Maximum size of a commit or tag (LIM-066). */
  readonly commitMax: number;
  /** Maximum number of parents of a commit (LIM-067). */
  readonly commitParentsMax: number;
  /** Maximum bytes to inflate and to make of deltas (LIM-068). */
  readonly inflatedMax: number;
  /** Maximum memory of the request (LIM-059). */
  readonly memoryMax: number;
  /** Bytes of the request's body, if known. */
  readonly bodyLength?: number | undefined;
  /** Maximum depth of a delta chain (LIM-062). */
  readonly chainDepthMax: number;
  /** Maximum bytes of the deltas and objects in one delta chain (LIM-069). */
  readonly chainMax: number;
  /** Maximum size of the graph (LIM-070). */
  readonly graphMax: number;
  /** Maximum stored bytes of the repository, with indexes and graphs (LIM-050). */
  readonly repoStorageMax: number;
  /** Returns the number of bytes that the account may still store (LIM-012). */
  readonly accountStorageLeft: () => Promise<number>;
  /** Random id of this push, for `RepoState.outcome`. */
  readonly pushId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Makes the boundary of a shallow client that of the repository (GIT-075), for imports with a depth; never set it for
   * clients. Default: false.
   */
  readonly acceptShallow?: boolean | undefined;
  /** True for the initial contents of a repository, which do not count as a push. Default: false. */
  readonly isImport?: boolean | undefined;
  /** Keeps the objects of the pack as uploads, although no ref reaches them (REPO-258). Default: false. */
  readonly isUpload?: boolean | undefined;
  /** Uploaded blobs that new trees may have, although nothing visible does. Default: none. */
  readonly leansOnBlobs?: readonly ObjectId[] | undefined;
  /** Makes the push at most once for a key. Default: no key. */
  readonly keyed?: KeyedResult | undefined;
  /** Called right before the commit. If it throws, the push ends without changes. Default: no check. */
  readonly stillWanted?: (() => void) | undefined;
  /**
   * Returns the event to record with each change of a ref (REPO-194), in the same order. Called each time the push is
   * prepared, the last time right before the commit. Default: no events, and no work for them.
   */
  readonly describe?: ((updates: readonly DescribedUpdate[]) => readonly (RecordedEvent | undefined)[]) | undefined;
}
