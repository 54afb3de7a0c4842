import { ContentReader } from '../content/content-reader.ts';
import { resolveRevision } from '../content/resolve-revision.ts';
import { findVisible } from '../content/find-visible.ts';
import type { TreeSource } from '../diff/compare-trees.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { noObject } from '../graph/pack-graph.ts';
import { readingMemory } from '../memory/reading-memory.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import { blobKind, commitKind, type GitObject } from '../object/kind.ts';
import { objectIdToBytes, type ObjectId } from '../object/object-id.ts';
import { PackError } from '../pack/pack-error.ts';
import type { KeyedResult, RepoSnapshot } from '../ports/repo-state.ts';
import type { PushOutcome } from '../receive-pack/push.ts';
import type { RefName } from '../refs/ref-name.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { commitAgain, moveBranch, type CommitPlace, type MoveRefusal } from '../change/move-branch.ts';
import type { ChangeRules } from '../change/store-change.ts';
import { changedPaths, type ChangedPaths } from './changed-paths.ts';
import { commitBody, type CommitFacts } from './commit-body.ts';
import type { NewBlobs } from './new-blobs.ts';
import { NewObjects } from './new-objects.ts';
import { TreeEditor, type PathFault, type TreeFile } from './tree-editor.ts';

/** One change of files. Paths are lists of names as `pathNames` makes them. */
export type FileChange =
  | {
      readonly op: 'put';
      readonly path: readonly string[];
      /** The id of a blob: one of {@link NewBlobs}, or one that visible refs reach or that was uploaded. */
      readonly content: ObjectId;
      /** True if the blob is one of {@link NewBlobs}. */
      readonly isNew: boolean;
      /** Default: that of the file that it replaces, or `100644`. */
      readonly mode: number | undefined;
    }
  | { readonly op: 'delete'; readonly path: readonly string[] }
  | { readonly op: 'move'; readonly from: readonly string[]; readonly path: readonly string[] };

/** A commit that a program asks for. */
export interface WantedCommit extends Omit<CommitFacts, 'tree' | 'parents'> {
  /** The full name of the branch. */
  readonly branch: RefName;
  /** Revision where a new branch begins. Undefined: at the default branch. */
  readonly from: string | undefined;
  /** The commit that the branch must have; null: it must not exist. Undefined: any. */
  readonly expectedHead: ObjectId | null | undefined;
  readonly changes: readonly FileChange[];
  /** Allows a commit with the tree of its parent. */
  readonly allowEmpty: boolean;
  /** Makes the record that lets only one such commit be made (REPO-259). Default: any number. */
  readonly keyed?: ((made: MadeCommit) => KeyedResult) | undefined;
}

/** A commit with the state before it. */
export interface MadeCommit {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  /** The tree of its parent; null for a first commit. */
  readonly before: ObjectId | null;
  /** The branch before; null if it is new. */
  readonly old: ObjectId | null;
}

/** The reason why a commit was not made. */
export type CommitRefusal =
  /** The branch does not have the expected head, but this one; null if it does not exist. */
  | { readonly kind: 'stale'; readonly head: ObjectId | null }
  /** `from` does not resolve. */
  | { readonly kind: 'no revision' }
  /** The tree would be that of the parent. */
  | { readonly kind: 'nothing changes' }
  /** A change cannot be made; `change` is its number. */
  | { readonly kind: 'path'; readonly change: number; readonly member: 'path' | 'from'; readonly fault: PathFault }
  /** No visible or uploaded blob has the hash of a change. */
  | { readonly kind: 'no blob'; readonly change: number }
  | MoveRefusal;

export type CommitResult =
  | {
      readonly kind: 'done';
      readonly made: MadeCommit;
      readonly changed: ChangedPaths;
      readonly outcome: PushOutcome | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: CommitRefusal };

/** Memory per byte of a tree whose entries are in memory. */
const editedPerByte = 8;
const regularMode = 0o100644;
const submoduleMode = 0o160000;

/**
 * Commits changes of files to a branch: reads the trees on their paths, makes new objects, and stores them with the move
 * of the branch as a push does. A commit that expects no head is made again on the new head when another request moved
 * the branch meanwhile.
 *
 * @param blobs the new blobs, after their end. Default: none.
 * @throws {PackError} for content that a push would refuse.
 * @throws {RepeatedChangeError} if the key of the commit was used before.
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function commitFiles(
  engine: GitEngine,
  repository: GitRepository,
  first: RepoSnapshot,
  wanted: WantedCommit,
  rules: ChangeRules,
  blobs?: NewBlobs,
): Promise<CommitResult> {
  return commitAgain(engine, repository, first, rules, wanted.expectedHead, (place, expectedHead) =>
    attemptCommit(place, { ...wanted, expectedHead }, rules, blobs),
  );
}

async function attemptCommit(
  place: CommitPlace,
  wanted: WantedCommit,
  rules: ChangeRules,
  blobs: NewBlobs | undefined,
): Promise<CommitResult | 'raced'> {
  const { engine, repository, snapshot, work } = place;
  const reader = await ContentReader.open(engine, repository, snapshot, { hiddenRefs: rules.hiddenRefs, work });
  const { view, visibility, account, release } = reader.handOver();
  try {
    const heldMemory = blobs?.heldMemory ?? 0;
    await account.planMore(heldMemory);
    await view.loadIndexes();
    const old = (await visibility.refs.find([wanted.branch])).get(wanted.branch)?.oid ?? null;
    const { expectedHead } = wanted;
    if (expectedHead !== undefined && expectedHead !== old) return refused({ kind: 'stale', head: old });
    const parent = await parentOf(view, visibility, old, wanted.from);
    if (parent === 'missing') return refused({ kind: 'no revision' });

    const objects = new NewObjects(engine.codec, work);
    const hashes = wanted.changes.flatMap((change) => (change.op === 'put' && !change.isNew ? [change.content] : []));
    const uploaded = hashes.length === 0 ? [] : await repository.state.uploadedBlobs(hashes);
    const edited = new Editing(view, visibility, account, objects, new Set(uploaded));
    const before = parent === undefined ? undefined : treeOf(view, parent);
    const editor = new TreeEditor(before, edited.read, work, edited.holdNew);
    for (const [number, change] of wanted.changes.entries()) {
      const refusal = await edited.apply(editor, change, number);
      if (refusal !== undefined) return refused(refusal);
    }
    const tree = await editor.write(objects);
    if (tree === before && !wanted.allowEmpty) return refused({ kind: 'nothing changes' });
    const parents = parent === undefined ? [] : [view.objectId(view.set.nodeObjects[parent] as number)];
    const commit = await objects.add(commitKind, commitBody({ ...wanted, tree, parents }));
    const changed = await changedPaths(edited.trees, { from: before, to: tree }, edited.hold);
    // The push reserves its own memory, and accounts for what stays here.
    account.release();
    const ref = { name: wanted.branch, old, new: commit, force: false };
    const made = { commit, tree, before: before ?? null, old };
    const ruled = {
      ...rules,
      leansOnBlobs: uploaded,
      keyed: wanted.keyed?.(made),
      heldMemory: heldMemory + edited.newBytes,
    };
    const moved = await moveBranch(place, ref, ruled, objects.pack(blobs?.entries()));
    if (moved === 'raced') return moved;
    return moved.kind === 'moved' ? { kind: 'done', made, changed, outcome: moved.outcome } : refused(moved);
  } finally {
    release();
  }
}

function refused(refusal: CommitRefusal): CommitResult {
  return { kind: 'refused', refusal };
}

/** Returns the node of the parent; undefined for a first commit. */
async function parentOf(
  view: RepositoryView,
  visibility: Visibility,
  old: ObjectId | null,
  from: string | undefined,
): Promise<number | 'missing' | undefined> {
  if (old !== null) return view.set.findNodeById(old);
  if (from !== undefined) return (await resolveRevision(view, visibility, from)) ?? 'missing';
  const { oid } = await visibility.refs.head();
  return oid === undefined ? undefined : view.set.findNodeById(oid);
}

/** Returns the id of the tree of a commit. */
function treeOf(view: RepositoryView, commit: number): ObjectId {
  const tree = view.set.nodeTrees[commit] as number;
  if (tree === noObject) throw new PackError('a stored commit has no tree in its graph');
  return view.objectId(tree);
}

/** Applies changes, and accounts for their memory. */
class Editing {
  readonly #view: RepositoryView;
  readonly #visibility: Visibility;
  readonly #account: RequestAccount;
  readonly #uploaded: ReadonlySet<ObjectId>;
  /** Stored and new trees. */
  readonly trees: TreeSource;
  /** Bytes of new folders. */
  newBytes = 0;

  constructor(
    view: RepositoryView,
    visibility: Visibility,
    account: RequestAccount,
    objects: NewObjects,
    uploaded: ReadonlySet<ObjectId>,
  ) {
    this.#view = view;
    this.#visibility = visibility;
    this.#account = account;
    this.#uploaded = uploaded;
    this.trees = { work: view.work, read: (oid) => objects.get(oid) ?? this.#stored(oid) };
  }

  readonly read = async (tree: ObjectId): Promise<Uint8Array> => {
    const { body } = await this.#stored(tree);
    this.hold(editedPerByte * body.length);
    return body;
  };

  /** Accounts for bytes that are held until the end. */
  readonly hold = (bytes: number): void => {
    const shortage = bytes > 0 ? this.#account.keep(bytes) : undefined;
    if (shortage !== undefined) throw shortage;
  };

  async #stored(tree: ObjectId): Promise<GitObject> {
    const { set } = this.#view;
    const object = this.#view.findObject(objectIdToBytes(tree), 0);
    if (object < 0) throw new PackError(`a stored tree names ${tree}, which is not stored`);
    const { graph, objectStart } = set.packOfObject(object);
    await this.#account.expectReading(readingMemory(graph, object - objectStart));
    return this.#view.read(object);
  }

  /** Holds memory of new objects. */
  readonly holdNew = (bytes: number): void => {
    this.newBytes += bytes;
    this.hold(bytes);
  };

  async apply(editor: TreeEditor, change: FileChange, number: number): Promise<CommitRefusal | undefined> {
    const faultOf = (fault: PathFault | undefined, member: 'path' | 'from' = 'path'): CommitRefusal | undefined =>
      fault && { kind: 'path', change: number, member, fault };
    switch (change.op) {
      case 'delete':
        return faultOf(await editor.remove(change.path));
      case 'move': {
        const fault = await editor.move(change.from, change.path);
        return faultOf(fault, fault === 'missing' ? 'from' : 'path');
      }
      case 'put': {
        const { content: oid, isNew } = change;
        if (!isNew && !(await this.#isKnown(oid))) return { kind: 'no blob', change: number };
        const mode = change.mode ?? keptMode(await editor.file(change.path));
        return faultOf(await editor.put(change.path, { mode, oid }));
      }
    }
  }

  /** Tests if a blob is readable or was uploaded. */
  async #isKnown(oid: ObjectId): Promise<boolean> {
    if (this.#uploaded.has(oid) && this.#view.findObject(objectIdToBytes(oid), 0) >= 0) return true;
    return (await findVisible(this.#view, this.#visibility, oid))?.kind === blobKind;
  }
}

/** Returns the mode of a file whose content is replaced. */
function keptMode(file: TreeFile | undefined): number {
  return file === undefined || file.mode === submoduleMode ? regularMode : file.mode;
}
