import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { ContentReader, type HeldView } from '../content/content-reader.ts';
import { resolveRevision } from '../content/resolve-revision.ts';
import { commitAgain, moveBranch, type CommitPlace } from '../change/move-branch.ts';
import type { ChangeRules } from '../change/store-change.ts';
import { NewObjects } from '../commit/new-objects.ts';
import { commitBody } from '../commit/commit-body.ts';
import { commitKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import { bringObjects } from './bring-objects.ts';
import type { Integrated, Meeting } from './meeting.ts';
import { mergeTips } from './merge-tips.ts';
import { pickCommit } from './pick-commit.ts';
import type { IntegrationRefusal, IntegrationResult, WantedIntegration } from './wanted-integration.ts';

/** Another repository that has what is integrated. The caller has checked that it may be read. */
export interface IntegrationSource {
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  /** Its address, for messages. */
  readonly remote: string;
}

/**
 * Merges, picks or reverts a commit on a branch, and moves the branch as a push does. Without an expected head it is done
 * again when another request moved the branch meanwhile.
 *
 * @param other where the commit is. Default: the repository itself.
 * @throws {MergeTooLargeError}
 * @throws {PackError} for content that a push would refuse.
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function integrate(
  engine: GitEngine,
  repository: GitRepository,
  first: RepoSnapshot,
  wanted: WantedIntegration,
  rules: ChangeRules,
  other?: IntegrationSource,
): Promise<IntegrationResult> {
  return commitAgain(engine, repository, first, rules, wanted.expectedHead, (place, expectedHead) => {
    const now = { ...wanted, expectedHead };
    if (other === undefined) return attempt(place, undefined, now, rules);
    return retryExpired(other.repository, other.snapshot, (snapshot) =>
      attempt(place, { ...other, snapshot }, now, rules),
    );
  });
}

async function attempt(
  place: CommitPlace,
  other: IntegrationSource | undefined,
  wanted: WantedIntegration,
  rules: ChangeRules,
): Promise<IntegrationResult | 'raced'> {
  const { hiddenRefs, memoryMax } = rules;
  const places = other === undefined ? [place] : [place, other];
  const readers = await ContentReader.openAll(place.engine, places, { hiddenRefs, memoryMax, work: place.work });
  const target = (readers[0] as ContentReader).handOver();
  try {
    const source = other === undefined ? target : (readers[1] as ContentReader).handOver();
    for (const { view } of [target, source]) await view.loadIndexes();
    return await meet(place, { target, source, remote: other?.remote }, wanted, rules);
  } finally {
    target.release();
  }
}

async function meet(
  place: CommitPlace,
  views: Pick<Meeting, 'target' | 'source' | 'remote'>,
  wanted: WantedIntegration,
  rules: ChangeRules,
): Promise<IntegrationResult | 'raced'> {
  const { target, source } = views;
  const { branch, expectedHead } = wanted;
  const head = (await target.visibility.refs.find([branch])).get(branch)?.oid ?? null;
  if (expectedHead !== undefined && expectedHead !== head) {
    return refused({ kind: 'stale', member: 'expected_head', head });
  }
  const node = await resolveRevision(source.view, source.visibility, wanted.revision);
  if (head === null) return refused({ kind: 'no ref' });
  if (node === undefined) return refused({ kind: 'no revision' });
  const from = source.view.objectId(source.view.set.nodeObjects[node] as number);
  if (wanted.kind === 'merge' && wanted.expectedFrom !== undefined && wanted.expectedFrom !== from) {
    return refused({ kind: 'stale', member: 'expected_from', head: from });
  }
  const meeting = { ...views, head, node, from };
  const result = wanted.kind === 'merge' ? await mergeTips(meeting, wanted) : await pickCommit(meeting, wanted);
  return result.kind === 'refused' ? result : store(place, meeting, wanted, result, rules);
}

/** Stores the result with the move of the branch. */
async function store(
  place: CommitPlace,
  meeting: Meeting,
  wanted: WantedIntegration,
  result: Exclude<Integrated, { kind: 'refused' }>,
  rules: ChangeRules,
): Promise<IntegrationResult | 'raced'> {
  const { target, source, head, node, from } = meeting;
  const still = { name: wanted.branch, old: head, new: head, force: false };
  if (result.kind === 'up to date') {
    const tree = treeOf(target, target.view.set.findNodeById(head));
    return { kind: 'done', commit: null, tree, from, ref: still, outcome: undefined };
  }
  const objects = new NewObjects(place.engine.codec, place.work);
  const made = result.kind === 'new' ? await addCommit(objects, result) : null;
  const tree = result.kind === 'new' ? result.facts.tree : treeOf(source, node);
  // Without the commit as a parent, only its files come along.
  const rootOnly = result.kind === 'new' && !result.facts.parents.includes(from) ? tree : undefined;
  const ref = { ...still, new: made ?? from };
  const moved = await bringObjects(meeting, objects, rootOnly, (pack) => moveBranch(place, ref, rules, pack));
  if (moved === 'raced') return moved;
  if (moved.kind !== 'moved') return refused(moved);
  return { kind: 'done', commit: made, tree, from, ref, outcome: moved.outcome };
}

async function addCommit(
  objects: NewObjects,
  { facts, objects: others }: Extract<Integrated, { kind: 'new' }>,
): Promise<ObjectId> {
  for (const { kind, body } of others) await objects.add(kind, body);
  return objects.add(commitKind, commitBody(facts));
}

function refused(refusal: IntegrationRefusal): IntegrationResult {
  return { kind: 'refused', refusal };
}

/** Returns the tree of a commit. */
function treeOf({ view }: HeldView, node: number): ObjectId {
  return view.objectId(view.set.nodeTrees[node] as number);
}
