import { DatabaseUnavailable } from '@packhouse/base';
import { describe, expect, it } from 'vitest';
import type { CommitOutcome, RepoChange, RepoState } from '../ports/repo-state.ts';
import { commitChange, PushUncertainError } from './commit-change.ts';

const change: RepoChange = {
  pushId: 'p1',
  at: 0,
  updates: [],
  atomic: false,
  addPacks: [],
  leansOn: [],
  addShallow: [],
};
const done: CommitOutcome = { kind: 'done', version: 2, updates: [] };
const work = { spend: () => {} } as unknown as Parameters<typeof commitChange>[2];

/** The database applies a commit or not, and loses the reply or refuses. */
type Fate = 'applies' | 'applies, no reply' | 'no reply' | 'refuses';

async function commit(fates: readonly Fate[], canSay = true) {
  const left = [...fates];
  let recorded: CommitOutcome | undefined;
  let applied = 0;
  const state: Pick<RepoState, 'commit' | 'outcome'> = {
    async commit() {
      const fate = left.shift() ?? 'applies';
      if (fate.startsWith('applies')) {
        applied += 1;
        recorded = done;
      }
      if (fate === 'applies') return done;
      throw new DatabaseUnavailable('no reply', fate !== 'refuses');
    },
    async outcome() {
      if (!canSay) throw new DatabaseUnavailable('ECONNREFUSED', false);
      return recorded;
    },
  };
  const result = await commitChange(state as RepoState, change, work).catch((error: unknown) => error);
  return [result, applied];
}

describe('commitChange', () => {
  it('REPO-335: reports a commit without a reply as the database has it, and repeats what it has not', async () => {
    expect(await commit(['applies, no reply'])).toEqual([done, 1]);
    expect(await commit(['no reply', 'applies'])).toEqual([done, 1]);
    expect(await commit(['no reply', 'applies, no reply'])).toEqual([done, 1]);
    expect(await commit(['refuses', 'refuses'])).toEqual([new DatabaseUnavailable('no reply', false), 0]);
  });

  it('REPO-335: claims nothing if the database cannot say, or may still apply the change', async () => {
    expect(await commit(['applies, no reply'], false)).toEqual([expect.any(PushUncertainError), 1]);
    expect(await commit(['no reply', 'no reply'])).toEqual([expect.any(PushUncertainError), 0]);
    expect(await commit(['no reply', 'refuses'])).toEqual([expect.any(PushUncertainError), 0]);
  });
});
