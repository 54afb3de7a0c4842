import type { ObjectId } from '../object/object-id.ts';
import type { ObjectKind } from '../object/kind.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { PackFile, PackId } from './pack-store.ts';

/**
 * The mutable state of one repository: refs and the manifest of packs. A request reads one snapshot and changes
 * everything in one commit; there is no other way to change it.
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
}

export interface RowFile {
  readonly id: PackId;
  readonly file: PackFile;
  readonly bytes: Uint8Array;
}

export interface RepoSnapshot {
  /** Grows with every commit that changes anything. */
  readonly version: number;
  /** Sorted bytewise by name, hidden ones included. */
  readonly refs: readonly RefRecord[];
  /** Oldest first. A pack only ever leans on packs before it. */
  readonly packs: readonly PackRecord[];
  /** Commits whose parents this repository does not have (GIT-075). Empty but for shallow imports. */
  readonly shallow: readonly ObjectId[];
  /** Short name of the branch that the record names (GIT-130); it need not exist. */
  readonly defaultBranch: string;
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
   * Packs of the snapshot that this change leans on. If the manifest has lost one of them, nothing is changed and the
   * outcome is `packs changed`: the caller checks again on a new snapshot.
   */
  readonly leansOn: readonly PackId[];
}

export interface RefUpdate {
  readonly name: RefName;
  /** The value the ref must have at commit time; null: it must not exist (GIT-125). */
  readonly old: ObjectId | null;
  /** Null deletes. */
  readonly new: RefTarget | null;
  /** A creation, or a move to a descendant: then no pack loses `exact`. */
  readonly forward: boolean;
}

export interface RefTarget {
  readonly oid: ObjectId;
  readonly kind: ObjectKind;
  readonly peeled: ObjectId | null;
}

export interface NewPack extends PackRecord {
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
  | { readonly kind: 'packs changed' };

/** The repository was deleted (GIT-158). */
export class RepoGoneError extends Error {
  override readonly name = 'RepoGoneError';
}
