import { mergeCommits, relateCommits } from '../merge/merge-commits.ts';
import { refused, settingOf, type Integrated, type Meeting } from './meeting.ts';
import { mergeTitle } from './merge-title.ts';
import type { WantedMerge } from './wanted-integration.ts';

const unrelated = 'refusing to merge unrelated histories';

/** Merges a commit into the head of a branch. */
export async function mergeTips(meeting: Meeting, wanted: WantedMerge): Promise<Integrated> {
  const { source, remote, head, from } = meeting;
  const { strategy, revision, branch, author, committer } = wanted;
  const setting = settingOf(meeting, { ours: branch.slice('refs/heads/'.length), theirs: revision });
  if (strategy === 'ff-only') {
    const relation = await relateCommits(setting, head, from);
    if (relation === 'up to date' || relation === 'fast-forward') return { kind: relation };
    return refused(relation === 'unrelated' ? unrelated : 'non-fast-forward');
  }
  const merged = await mergeCommits(setting, head, from);
  switch (merged.kind) {
    case 'up to date':
      return merged;
    case 'unrelated':
      return refused(unrelated);
    case 'conflicts':
      return { kind: 'refused', refusal: merged };
    case 'fast-forward':
    case 'merged': {
      const { tree } = merged;
      const objects = merged.kind === 'merged' ? merged.objects : [];
      if (strategy === 'squash' && !merged.isChanged) return refused('nothing to commit');
      const message = wanted.message ?? (await mergeTitle(source.visibility.refs, revision, branch, remote));
      const parents = strategy === 'squash' ? [head] : [head, from];
      return { kind: 'new', facts: { tree, parents, author, committer, message }, objects };
    }
  }
}
