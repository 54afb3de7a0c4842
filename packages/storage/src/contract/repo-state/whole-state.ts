import { readAllRefs, type RefRecord, type RepoSnapshot, type RepoState } from '@packhouse/git';

/** A snapshot with all its refs. */
export interface WholeState extends Omit<RepoSnapshot, 'refs'> {
  readonly refs: readonly RefRecord[];
}

/** Reads the whole current state. */
export async function wholeState(state: RepoState): Promise<WholeState> {
  const snapshot = await state.snapshot();
  if (snapshot === undefined) throw new Error('The state answered no snapshot');
  return { ...snapshot, refs: await readAllRefs(state, snapshot) };
}
