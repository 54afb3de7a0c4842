import { readingMemory } from '../memory/reading-memory.ts';
import { mergeWithBase } from '../merge/merge-commits.ts';
import type { ObjectId } from '../object/object-id.ts';
import { commitLabel, commitTexts, revertMessage, type CommitTexts } from './commit-texts.ts';
import { refused, settingOf, type Integrated, type Meeting } from './meeting.ts';
import type { WantedPick, WantedRevert } from './wanted-integration.ts';

/** Applies the change of a commit to the head of a branch, or undoes it there. */
export async function pickCommit(meeting: Meeting, wanted: WantedPick | WantedRevert): Promise<Integrated> {
  const { head, from } = meeting;
  const parents = parentsOf(meeting);
  const { mainline = 1, committer } = wanted;
  if (parents.length > 1 && wanted.mainline === undefined) {
    return withoutMainline('the commit is a merge but no mainline was given');
  }
  if (mainline > Math.max(1, parents.length)) return withoutMainline('the commit does not have that parent');
  const parent = parents[mainline - 1] ?? null;
  const texts = await textsOf(meeting);
  const isRevert = wanted.kind === 'revert';
  const label = commitLabel(from, texts);
  const setting = settingOf(meeting, { ours: 'HEAD', theirs: isRevert ? `parent of ${label}` : label });
  const sides = isRevert ? { base: from, theirs: parent } : { base: parent, theirs: from };
  const merged = await mergeWithBase(setting, { ours: head, ...sides });
  if (merged.kind === 'conflicts') return { kind: 'refused', refusal: merged };
  if (!merged.isChanged && !wanted.allowEmpty) return refused('nothing to commit');
  const { tree, objects } = merged;
  const author = isRevert ? wanted.author : texts.author;
  const usual = isRevert ? revertMessage(from, texts, parents.length > 1 ? parent : null) : texts.message;
  const message = wanted.message ?? usual;
  return { kind: 'new', facts: { tree, parents: [head], author, committer, message }, objects };
}

function withoutMainline(reason: string): Integrated {
  return { kind: 'refused', refusal: { kind: 'mainline', reason } };
}

/** Returns the parents that the repository has: those of a boundary do not count, as in Git. */
function parentsOf({ source: { view }, node }: Meeting): readonly ObjectId[] {
  const { parentStarts, parents, nodeObjects } = view.set;
  const own = parents.subarray(parentStarts[node] as number, parentStarts[node + 1] as number);
  return Array.from(own, (parent) => view.objectId(nodeObjects[parent] as number));
}

async function textsOf({ source: { view, account }, node }: Meeting): Promise<CommitTexts> {
  const object = view.set.nodeObjects[node] as number;
  const { graph, objectStart } = view.set.packOfObject(object);
  await account.expectReading(readingMemory(graph, object - objectStart));
  return commitTexts((await view.read(object)).body);
}
