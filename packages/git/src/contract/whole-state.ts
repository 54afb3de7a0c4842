import { readAllRefs } from '../stored-refs/read-all-refs.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import type { RepoSnapshot, RepoState } from '../ports/repo-state.ts';

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
