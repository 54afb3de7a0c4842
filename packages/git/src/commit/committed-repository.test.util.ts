import type { ChangeRules } from '../change/store-change.ts';
import { MaintainedRepository, pushOptions } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree } from '../maintain/made-history.test.util.ts';
import type { RefName } from '../refs/ref-name.ts';
import { commitFiles, type CommitResult, type FileChange } from './commit-files.ts';
import type { NewBlobs } from './new-blobs.ts';

/** Makes a repository with one commit. */
export async function someRepository(partSize: number): Promise<MaintainedRepository> {
  const made = new MaintainedRepository(partSize);
  const first = commit(tree([{ name: 'a', object: blob('a') }]), [], 0);
  await made.push([{ ref: 'refs/heads/main', new: first }], [...closure([first]).values()]);
  return made;
}

export function rulesOf(made: MaintainedRepository): ChangeRules {
  return {
    ...pushOptions,
    blobMax: 100_000_000,
    hiddenRefs: [],
    denyDeleteDefault: true,
    pushId: () => crypto.randomUUID(),
    now: () => made.clock,
  };
}

/** Commits changes to the branch of {@link someRepository}. */
export function commitChanges(
  made: MaintainedRepository,
  changes: readonly FileChange[],
  blobs?: NewBlobs,
  tenant?: string,
): Promise<CommitResult> {
  const who = { name: 'a', email: 'e', time: 1, timezone: '+0000' };
  const wanted = {
    branch: 'refs/heads/main' as RefName,
    from: undefined,
    expectedHead: undefined,
    message: 'x',
    author: who,
    committer: who,
    changes,
    allowEmpty: false,
  };
  return commitFiles(made.engine, made.repository, made.state.current, wanted, { ...rulesOf(made), tenant }, blobs);
}

/** Counts the packs in the store that the state does not name. */
export function strayPacks(made: MaintainedRepository): number {
  const stored = [...made.store.files.keys()].filter((name) => name.endsWith('.pack'));
  return stored.length - made.state.packs.filter(({ where }) => where === 'store').length;
}
