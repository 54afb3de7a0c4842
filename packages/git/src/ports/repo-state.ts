import type { ObjectId } from '../object/object-id.ts';
import type { ObjectKind } from '../object/kind.ts';
import type { PackedRefs } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { PackFile, PackId } from './pack-store.ts';
import type { RefPage, RefQuery } from './ref-query.ts';

/**
 * The mutable state of one repository: refs and the manifest of packs. A request reads one snapshot, the refs that it
 * needs as they were in that snapshot, and changes everything in one commit; there is no other way to change it.
 */
export interface RepoState {
  /**
   * One consistent state (GIT-156). With `known`, the version that the caller holds, the answer is `undefined` if
   * that is still the current one.
   *
   * @throws {RepoGoneError} if the repository was deleted.
   */
  snapshot(known?: number): Promise<RepoSnapshot | undefined>;

  /**
   * Reads refs as they were at a version that a snapshot has named, whatever was committed since (GIT-156). One call
   * reads a bounded number of rows, however many refs there are.
   *
   * @returns undefined if that version, or the one of the query, is too old to be read. The latest
   *   {@link refHistoryMax} changes of refs can be undone. The caller begins again with a new snapshot.
   * @throws {RepoGoneError} if the repository was deleted.
   * @throws {RangeError} for a query above its bounds.
   */
  refs(version: number, query: RefQuery): Promise<RefPage | undefined>;

  /**
   * Applies a change in one durable transaction (GIT-150, GIT-155). Idempotent by `change.pushId`: a second call with
   * the same id answers what the first one recorded.
   *
   * @throws {RepoGoneError} if the repository was deleted; nothing is changed then.
   */
  commit(change: RepoChange): Promise<CommitOutcome>;

  /** What was recorded for a push id within the last 10 minutes; `undefined`: not applied. */
  outcome(pushId: string): Promise<CommitOutcome | undefined>;

  /**
   * Files of packs that lie in rows (`PackRecord.where` is `rows`). Absent packs are left out.
   * On runtimes with a message limit the caller asks for at most 8 MiB at once.
   */
  rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]>;

  /**
   * Puts one pack, or nothing, in the place of neighbours, in one durable transaction; the version grows. What was
   * replaced is retired: out of the manifest, with its bytes still there, until {@link RepoState.forgetPacks}.
   * Idempotent by `replacement.id`, and by the id of the pack it adds: a second call answers `done` if the first one
   * did. The other answers are not recorded, nothing was changed then.
   *
   * @throws {RepoGoneError} if the repository was deleted; nothing is changed then.
   * @throws {RangeError} for a replacement that breaks the rules of {@link PackReplacement}.
   */
  replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome>;

  /** Packs that were replaced and whose bytes are still kept, those that were retired first in front. */
  retiredPacks(): Promise<readonly RetiredPack[]>;

  /**
   * Drops retired packs and their rows. The caller has removed their bytes from the {@link PackStore} before. Those in
   * the manifest, and unknown ones, are left alone.
   */
  forgetPacks(ids: readonly PackId[]): Promise<void>;

  /** All of them, newest first. */
  retiredTips(): Promise<readonly RetiredTip[]>;

  /** Forgets the tips that were retired before that time (milliseconds since 1970). The version grows if there were any. */
  forgetTips(before: number): Promise<void>;

  /**
   * Says when maintenance is due next (milliseconds since 1970); undefined: when the next commit changes something,
   * which makes it due at once. With `known`, the version by which that was decided: does nothing if the state has
   * another one by now, so that what a commit made due meanwhile stays due.
   */
  planMaintenance(at: number | undefined, known?: number): Promise<void>;
}

export interface RowFile {
  readonly id: PackId;
  readonly file: PackFile;
  readonly bytes: Uint8Array;
}

export interface RepoSnapshot {
  /** Grows with everything that changes what a snapshot shows, and with every change of refs. */
  readonly version: number;
  /** All refs, hidden ones included, if they are at most {@link fewRefsMax}; undefined: {@link RepoState.refs} has them. */
  readonly refs: PackedRefs | undefined;
  /** Oldest first. A pack only ever leans on packs before it. */
  readonly packs: readonly PackRecord[];
  /** Commits whose parents this repository does not have (GIT-075). Empty but for shallow imports. */
  readonly shallow: readonly ObjectId[];
  /** Short name of the branch that the record names (GIT-130); it need not exist. */
  readonly defaultBranch: string;
  /** Newest first, at most {@link snapshotTipsMax}. */
  readonly retiredTips: readonly RetiredTip[];
}

/** Most refs that a snapshot brings with it. */
export const fewRefsMax = 64;

/** Most retired tips that a snapshot shows. */
export const snapshotTipsMax = 1_024;

/** A value that a ref had and left, other than forward, or with its deletion. */
export interface RetiredTip {
  readonly name: RefName;
  readonly oid: ObjectId;
  /** Milliseconds since 1970: when it did so last. */
  readonly at: number;
}

export interface RefRecord {
  readonly name: RefName;
  readonly oid: ObjectId;
  readonly kind: ObjectKind;
  /** For a tag object: what it peels to in the end (GIT-043); else null. */
  readonly peeled: ObjectId | null;
}

export interface PackRecord {
  readonly id: PackId;
  /** `store`: in the {@link PackStore}; `rows`: small and fresh, in the state's own rows. */
  readonly where: 'store' | 'rows';
  readonly objects: number;
  readonly packSize: number;
  readonly idxSize: number;
  readonly graphSize: number;
  /** Every object of it was reachable from refs when it became the only pack, and no ref was moved back or deleted since. */
  readonly exact: boolean;
  /**
   * Place in the manifest's order, at least 1: grows from pack to pack, and is never given twice. What replaces packs
   * takes that of its newest one.
   */
  readonly position: number;
  /**
   * Position of the newest pack that was known when this one was made; 0: none. Packs between that and this one may
   * hold the same objects (GIT-157).
   */
  readonly after: number;
  /** Milliseconds since 1970: nothing in it that no ref reaches is younger. At first when the pack came in. */
  readonly at: number;
  /**
   * Whether it came by a fork (REPO-121). `no`: it was pushed, imported, made by maintenance, or copied for this repository
   * alone. `whole`: by a fork, and every object of it belongs to this repository. `part`: by a fork, and what refs and
   * retired tips of this repository reach belongs to it; all else in it is another's, and counts as not there (GIT-154).
   * Borrowed packs are older than all others.
   */
  readonly borrowed: 'no' | 'whole' | 'part';
}

/** Bytes that a pack counts as stored: its own, and those of its index and its graph (GIT-166). */
export function storedSize({
  packSize,
  idxSize,
  graphSize,
}: Pick<PackRecord, 'packSize' | 'idxSize' | 'graphSize'>): number {
  return packSize + idxSize + graphSize;
}

export interface RepoChange {
  /** Random; names this attempt for {@link RepoState.outcome}. */
  readonly pushId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** At most one a ref. */
  readonly updates: readonly RefUpdate[];
  /** All or none (GIT-151). */
  readonly atomic: boolean;
  /** Packs to add, if at least one update applies. */
  readonly addPacks: readonly NewPack[];
  /**
   * Packs of the snapshot that this change leans on. What they held must be there still: a pack is in the manifest, or
   * was replaced and is not forgotten yet, and no replacement has left anything out since or with that. If one of them
   * is lost, nothing is changed and the outcome is `packs changed`: the caller checks again on a new snapshot.
   */
  readonly leansOn: readonly PackId[];
  /**
   * Commits at which this change cuts history off (GIT-075): added to the snapshot's `shallow`, if at least one update
   * applies. Empty but for imports.
   */
  readonly addShallow: readonly ObjectId[];
  /** Whether it brings what a new repository begins with: then it counts for no push. Default: no. */
  readonly isImport?: boolean;
}

export interface RefUpdate {
  readonly name: RefName;
  /** The value the ref must have at commit time; null: it must not exist (GIT-125). */
  readonly old: ObjectId | null;
  /** Null deletes. */
  readonly new: RefTarget | null;
  /** A creation, or a move to a descendant: then no pack loses `exact`, and the old value is no retired tip. */
  readonly forward: boolean;
  /** Recorded in the transaction of the change, if this update applies and changes the ref (REPO-190). */
  readonly event?: RecordedEvent;
}

/** What whoever listens is to be told of a change, from the transaction of the change on until they were told. */
export interface RecordedEvent {
  /** Random: the same at each delivery (REPO-198). */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Opaque text, at most {@link eventBytesMax} bytes of UTF-8, without NUL. */
  readonly body: string;
}

/** Most bytes that the body of an event has. */
export const eventBytesMax = 1_000_000;

export interface RefTarget {
  readonly oid: ObjectId;
  readonly kind: ObjectKind;
  readonly peeled: ObjectId | null;
}

/** A pack to be added. The state gives it its position, and the time of the change. */
export interface NewPack extends Omit<PackRecord, 'position' | 'at'> {
  /** The bytes, if `where` is `rows` (each file below 1.9 MB); absent if they are in the {@link PackStore}. */
  readonly files?: Readonly<Record<PackFile, Uint8Array>>;
}

/** Per update, in the order of the change: */
export type UpdateOutcome =
  | { readonly kind: 'ok' }
  /** The ref did not have the old value (GIT-125). */
  | { readonly kind: 'stale' }
  /** A ref exists that is a leading path of this one or the other way round (GIT-124). */
  | { readonly kind: 'conflict'; readonly with: RefName }
  /** Atomic, and another one failed. */
  | { readonly kind: 'held back' };

export type CommitOutcome =
  | { readonly kind: 'done'; readonly version: number; readonly updates: readonly UpdateOutcome[] }
  | { readonly kind: 'packs changed' }
  /** The change has events, and too many wait to be delivered already. Nothing was changed, and it is not recorded. */
  | { readonly kind: 'events full' };

/** What maintenance does to the manifest. */
export interface PackReplacement {
  /** Random; names this attempt, as a push id does. */
  readonly id: string;
  /** Milliseconds since 1970: when the packs are retired. */
  readonly at: number;
  /** Neighbours in the manifest, at least one. */
  readonly remove: readonly PackId[];
  /** What takes their place; undefined: nothing of them is left. Its `after` is that of the oldest removed one. */
  readonly add: ReplacingPack | undefined;
  /**
   * Whether `add` lacks any object or node of theirs. Then all packs that were replaced until now count as lost for
   * changes that lean on them ({@link RepoChange.leansOn}).
   */
  readonly leavesOut: boolean;
  /**
   * The version by which it was judged what may be left out, or that `add` is exact; with another one nothing changes.
   * Undefined only where everything is kept and `add` is not exact.
   */
  readonly ifVersion: number | undefined;
}

/** `exact` is kept only if it becomes the only pack. */
export interface ReplacingPack extends NewPack {
  /** As in {@link PackRecord}. */
  readonly at: number;
}

export type ReplaceOutcome =
  | 'done'
  /** The manifest has lost one of the packs that were to be removed. Nothing was changed. */
  | 'packs changed'
  /** Nothing was changed. */
  | 'version changed';

/** A pack that was replaced. */
export interface RetiredPack {
  readonly pack: PackRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The repository was deleted (GIT-158). */
export class RepoGoneError extends Error {
  override readonly name = 'RepoGoneError';
}
