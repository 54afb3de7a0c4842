import type { ObjectId } from '../object/object-id.ts';
import type { PackedRefs } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { RefTarget } from '../refs/ref-record.ts';
import type { PackFile, PackId } from './pack-store.ts';
import type { RefPage, RefQuery } from './ref-query.ts';

/**
 * The mutable state of one repository: refs and the manifest of packs. A request reads one snapshot, and the refs of
 * that version, and changes everything in one commit. There is no other way to change it.
 */
export interface RepoState {
  /**
   * Returns one consistent state (GIT-156). With `known`, the caller's version, returns `undefined` if that is still
   * current.
   *
   * @throws {RepoGoneError} if the repository was deleted.
   */
  snapshot(known?: number): Promise<RepoSnapshot | undefined>;

  /**
   * Reads the refs of a version that a snapshot has returned, regardless of later commits (GIT-156). One call reads a
   * bounded number of rows, for any number of refs.
   *
   * @returns undefined if that version, or the one of the query, is too old. The latest {@link refHistoryMax} changes
   * of refs can be undone. The caller starts again with a new snapshot.
   * @throws {RepoGoneError} if the repository was deleted.
   * @throws {RangeError} if a query exceeds its limits.
   */
  refs(version: number, query: RefQuery): Promise<RefPage | undefined>;

  /**
   * Applies a change in one durable transaction (GIT-150, GIT-155). Idempotent by `change.pushId` and `change.at`: a
   * repeated call with both returns the recorded outcome.
   *
   * @throws {RepoGoneError} if the repository was deleted; then nothing changes.
   */
  commit(change: RepoChange): Promise<CommitOutcome>;

  /** Returns the outcome recorded for a push id within the last 10 minutes; `undefined` if it was not applied. */
  outcome(pushId: string): Promise<CommitOutcome | undefined>;

  /**
   * Returns files of packs in rows (`PackRecord.where` is `rows`). Omits absent packs. On runtimes with a message
   * limit, request at most 8 MiB at once.
   */
  rowFiles(ids: readonly PackId[], files: readonly PackFile[]): Promise<readonly RowFile[]>;

  /**
   * Replaces adjacent packs with one pack or none, in one durable transaction; the version grows. The replaced packs
   * are retired: out of the manifest, but with their bytes, until {@link RepoState.forgetPacks}. Idempotent by
   * `replacement.id`, and by the id of the added pack: a repeated call returns `done` if the first one did. Other
   * outcomes change nothing and are not recorded.
   *
   * @throws {RepoGoneError} if the repository was deleted; then nothing changes.
   * @throws {RangeError} for a replacement that violates the rules of {@link PackReplacement}.
   */
  replacePacks(replacement: PackReplacement): Promise<ReplaceOutcome>;

  /** Lists replaced packs whose bytes are still stored, in order of their retirement. */
  retiredPacks(): Promise<readonly RetiredPack[]>;

  /**
   * Drops retired packs and their rows. The caller must have removed their bytes from the {@link PackStore}. Ignores
   * packs in the manifest and unknown ones.
   */
  forgetPacks(ids: readonly PackId[]): Promise<void>;

  /** Lists all retired tips, newest first. */
  retiredTips(): Promise<readonly RetiredTip[]>;

  /**
   * Drops tips retired, and records of uploaded blobs made, before that time (milliseconds since 1970). The version grows
   * if there were any tips.
   */
  forgetTips(before: number): Promise<void>;

  /** Returns which of these blobs were uploaded here ({@link RepoChange.uploaded}). At most 10,000 at once. */
  uploadedBlobs(oids: readonly ObjectId[]): Promise<readonly ObjectId[]>;

  /**
   * Returns the result that a change recorded for its key in the {@link keyLifetime} before `at`; undefined without one.
   */
  keyedResult(key: string, at: number): Promise<string | undefined>;

  /**
   * Plans the next maintenance (milliseconds since 1970); undefined: at once after the next commit with changes. With
   * `known`, the version on which that decision is based, does nothing if the version has changed, so that maintenance
   * for a commit in between stays due.
   */
  planMaintenance(at: number | undefined, known?: number): Promise<void>;
}

export interface RowFile {
  readonly id: PackId;
  readonly file: PackFile;
  readonly bytes: Uint8Array;
}

export interface RepoSnapshot {
  /** Grows with every change of the snapshot, and with every change of refs. */
  readonly version: number;
  /**
   * All refs, including hidden ones, if they are at most {@link fewRefsMax}; otherwise undefined: use {@link
   * RepoState.refs}.
   */
  readonly refs: PackedRefs | undefined;
  /** Oldest first. A pack leans only on packs before it. */
  readonly packs: readonly PackRecord[];
  /** Commits whose parents this repository lacks (GIT-075). Empty except after shallow imports. */
  readonly shallow: readonly ObjectId[];
  /** Short name of the branch in the record (GIT-130); the branch need not exist. */
  readonly defaultBranch: string;
  /** Newest first, at most {@link snapshotTipsMax}. */
  readonly retiredTips: readonly RetiredTip[];
}

/** Maximum number of refs in a snapshot. */
export const fewRefsMax = 64;

/** Maximum number of retired tips in a snapshot. */
export const snapshotTipsMax = 1_024;

/** A value that a ref left by a non-forward move or its deletion. */
export interface RetiredTip {
  readonly name: RefName;
  readonly oid: ObjectId;
  /** Time of the last such move in milliseconds since 1970. */
  readonly at: number;
}

export interface PackRecord {
  readonly id: PackId;
  /** `store`: in the {@link PackStore}; `rows`: small and new, in the state's rows. */
  readonly where: 'store' | 'rows';
  readonly objects: number;
  readonly packSize: number;
  readonly idxSize: number;
  readonly graphSize: number;
  /** True if refs reached every object of the only pack, and no ref has moved back or been deleted since. */
  readonly exact: boolean;
  /**
   * Position in the manifest, at least 1. It grows from pack to pack and is never reused. A replacement takes the
   * position of its newest pack.
   */
  readonly position: number;
  /**
   * Position of the newest known pack when this one was made; 0 without one. Packs between that and this one may
   * contain the same objects (GIT-157).
   */
  readonly after: number;
  /** Milliseconds since 1970: no unreachable object in it is younger. At first the time when the pack arrived. */
  readonly at: number;
  /**
   * Tells if it came by a fork (REPO-121). `no`: it was pushed, imported, made by maintenance, or copied for this
   * repository alone. `whole`: by a fork, and every object of it belongs to this repository. `part`: by a fork, and
   * only objects that refs and retired tips of this repository reach belong to it; all others belong to another
   * repository, and count as absent (GIT-154). Borrowed packs are older than all others.
   */
  readonly borrowed: 'no' | 'whole' | 'part';
}

/** Returns the bytes of a pack that count as stored: the pack, its index and its graph (GIT-166). */
export function storedSize({
  packSize,
  idxSize,
  graphSize,
}: Pick<PackRecord, 'packSize' | 'idxSize' | 'graphSize'>): number {
  return packSize + idxSize + graphSize;
}

/** Returns the number of objects in packs; one that several of them hold counts for each. */
export function objectsIn(packs: readonly Pick<PackRecord, 'objects'>[]): number {
  return packs.reduce((sum, { objects }) => sum + objects, 0);
}

export interface RepoChange {
  /** Random id of this attempt, for {@link RepoState.outcome}. */
  readonly pushId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** At most one per ref. */
  readonly updates: readonly RefUpdate[];
  /** All or none (GIT-151). */
  readonly atomic: boolean;
  /** Packs to add, if at least one update applies. */
  readonly addPacks: readonly NewPack[];
  /**
   * Packs of the snapshot that this change leans on. All their objects must still exist: each pack is in the manifest,
   * or was replaced and not yet forgotten, and no replacement has left anything out since then or at that time. If one
   * is lost, nothing changes and the outcome is `packs changed`: the caller checks again on a new snapshot.
   */
  readonly leansOn: readonly PackId[];
  /**
   * Commits at which this change cuts history off (GIT-075): added to the snapshot's `shallow` if at least one update
   * applies. Empty except for imports.
   */
  readonly addShallow: readonly ObjectId[];
  /** True if it brings the initial contents of a repository, so that it does not count as a push. Default: false. */
  readonly isImport?: boolean;
  /**
   * Blobs that were uploaded although no ref reaches them (REPO-258). Recorded with its time, and the packs are added,
   * even without any update. Default: none.
   */
  readonly uploaded?: readonly ObjectId[];
  /** Lets only one change with that key happen (REPO-259). Default: no key. */
  readonly keyed?: KeyedResult;
}

/** The result of a request, recorded under its key in the transaction of its change, for retries of the request. */
export interface KeyedResult {
  /** At most 64 characters. */
  readonly key: string;
  /** Opaque text, at most 1,000 characters. */
  readonly result: string;
}

/** Milliseconds for which the result of a key is remembered, and the number of the newest that are (LIM-039). */
export const keyLifetime = 86_400_000;
export const keysMax = 10_000;

export interface RefUpdate {
  readonly name: RefName;
  /** The value that the ref must have at commit time; null: it must not exist (GIT-125). */
  readonly old: ObjectId | null;
  /** Null deletes the ref. */
  readonly new: RefTarget | null;
  /**
   * A creation, or a move to a descendant: then packs keep `exact`, and the old value does not become a retired tip.
   */
  readonly forward: boolean;
  /** Recorded in the transaction of the change if this update applies and changes the ref (REPO-190). */
  readonly event?: RecordedEvent;
}

/** An event recorded with a change and kept until it has been delivered. */
export interface RecordedEvent {
  /** Random id, the same at each delivery (REPO-198). */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Opaque text, at most {@link eventBytesMax} bytes of UTF-8, without NUL. */
  readonly body: string;
  /** True if the service has no own listener, so that only webhooks of users get the event. Default: false. */
  readonly webhooksOnly?: boolean;
}

/** Maximum bytes of an event body. */
export const eventBytesMax = 1_000_000;

/** A pack to add. The state assigns its position and time. */
export interface NewPack extends Omit<PackRecord, 'position' | 'at'> {
  /** The bytes, if `where` is `rows` (each file below 1.9 MB); absent if they are in the {@link PackStore}. */
  readonly files?: Readonly<Record<PackFile, Uint8Array>>;
}

/** Outcome of one update; outcomes have the order of the updates. */
export type UpdateOutcome =
  | { readonly kind: 'ok' }
  /** The ref did not have the old value (GIT-125). */
  | { readonly kind: 'stale' }
  /** Another ref is a leading path of this one, or vice versa (GIT-124). */
  | { readonly kind: 'conflict'; readonly with: RefName }
  /** The change is atomic, and another update failed. */
  | { readonly kind: 'held back' };

export type CommitOutcome =
  | { readonly kind: 'done'; readonly version: number; readonly updates: readonly UpdateOutcome[] }
  | { readonly kind: 'packs changed' }
  /** A change with this key was made before, with that result. Nothing changed. */
  | { readonly kind: 'repeated'; readonly result: string }
  /** The change has events, but too many are already waiting. Nothing changed, and the outcome is not recorded. */
  | { readonly kind: 'events full' };

/** A change of the manifest by maintenance. */
export interface PackReplacement {
  /** Random id of this attempt, like a push id. */
  readonly id: string;
  /** Time of the retirement in milliseconds since 1970. */
  readonly at: number;
  /** At least one pack; adjacent in the manifest. */
  readonly remove: readonly PackId[];
  /** The new pack; undefined if nothing of them is left. Its `after` is that of the oldest removed pack. */
  readonly add: ReplacingPack | undefined;
  /**
   * True if `add` lacks any object or node of theirs. Then all packs replaced so far count as lost for changes that
   * lean on them ({@link RepoChange.leansOn}).
   */
  readonly leavesOut: boolean;
  /**
   * The version on which the decision to leave objects out, or that `add` is exact, is based. If the version has
   * changed, nothing changes. Undefined only if everything is kept and `add` is not exact.
   */
  readonly ifVersion: number | undefined;
}

/** Keeps `exact` only if it becomes the only pack. */
export interface ReplacingPack extends NewPack {
  /** The same as in {@link PackRecord}. */
  readonly at: number;
}

export type ReplaceOutcome =
  | 'done'
  /** The manifest lacks one of the packs to remove. Nothing changed. */
  | 'packs changed'
  /** Nothing changed. */
  | 'version changed';

/** A replaced pack. */
export interface RetiredPack {
  readonly pack: PackRecord;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The repository was deleted (GIT-158). */
export class RepoGoneError extends Error {
  override readonly name = 'RepoGoneError';
}

/**
 * Returns the error, or a {@link RepoGoneError} if the repository was deleted meanwhile: then its missing files can cause
 * any error, and only its state has the reason.
 */
export async function deletionOr(error: unknown, { state }: { readonly state: RepoState }): Promise<unknown> {
  return state.snapshot().then(
    () => error,
    (now: unknown) => (now instanceof RepoGoneError ? now : error),
  );
}
