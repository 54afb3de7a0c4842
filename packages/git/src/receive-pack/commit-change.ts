import { DatabaseUnavailable } from '@packhouse/base';
import {
  RepoGoneError,
  type CommitOutcome,
  type RefUpdate,
  type RepoChange,
  type RepoState,
  type UpdateOutcome,
} from '../ports/repo-state.ts';
import { cost } from '../work/costs.ts';
import type { RequestWork } from '../work/scheduler.ts';

/** Rows that one update reads and writes, and how often they hold its name: refs, two indexes and their history. */
const rowsPerUpdate = 4;
const namesPerUpdate = 6;
/** Refs that one transaction of an import creates. */
const refsInPart = 1_024;

/** Thrown if it is unknown whether a push was committed. Then no report may claim either. */
export class PushUncertainError extends Error {
  override readonly name = 'PushUncertainError';

  constructor(options: ErrorOptions) {
    super('it is unknown if a push was committed', options);
  }
}

/**
 * Commits a change. If the reply is lost, asks for the outcome, and tries once more with the same id if nothing was
 * committed (`docs/design/workers.md`, "Failures"). A change that failed twice and was not recorded may still arrive.
 *
 * @throws {PushUncertainError}
 * @throws {RepoGoneError} Then nothing was committed.
 */
export async function commitChange(state: RepoState, change: RepoChange, work: RequestWork): Promise<CommitOutcome> {
  countCommit(change.updates, work);
  /** The database may still apply a change whose reply is missing, also while another attempt is refused. */
  let isOpen = false;
  for (let last = false; ; last = true) {
    try {
      return await state.commit(change);
    } catch (error) {
      if (error instanceof RepoGoneError) throw error;
      isOpen ||= error instanceof DatabaseUnavailable && error.mayHaveChanged;
      const outcome = await outcomeOf(state, change.pushId);
      if (outcome !== undefined) return outcome;
      if (!last) continue;
      throw isOpen ? new PushUncertainError({ cause: error }) : error;
    }
  }
}

/**
 * Commits the refs of an import in batches, to keep transactions short: the repository is invisible until the import
 * has ended. The packs are added with the last batch, since nothing in them is known to be needed before. Calls
 * `beforePacks` right before that batch, and `between` after each other one.
 *
 * @throws {PushUncertainError}
 * @throws {RepoGoneError} Then nothing was committed.
 */
export async function commitImport(
  state: RepoState,
  change: RepoChange,
  work: RequestWork,
  { beforePacks, between }: { readonly beforePacks: () => void; readonly between: () => void },
): Promise<CommitOutcome> {
  for (let from = 0; ; from += refsInPart) {
    const updates = change.updates.slice(from, from + refsInPart);
    const isLast = from + refsInPart >= change.updates.length;
    if (isLast) beforePacks();
    const early = { pushId: `${change.pushId}-${from}`, addPacks: [], addShallow: [] };
    const outcome = await commitChange(state, { ...change, ...(isLast ? {} : early), updates }, work);
    if (outcome.kind !== 'done') return outcome;
    // One refusal in any batch refuses all; the existing refs go with the repository.
    const isRefused = outcome.updates.some(({ kind }) => kind !== 'ok');
    const others: UpdateOutcome = { kind: isRefused ? 'held back' : 'ok' };
    if (isRefused || isLast) {
      return { ...outcome, updates: change.updates.map((_, i) => outcome.updates[i - from] ?? others) };
    }
    between();
    // Always yield: a storage whose promises resolve without I/O would block everything else.
    await work.yield();
  }
}

/** Counts the cost of the transaction, which cannot yield, so that other requests run afterwards. */
function countCommit(updates: readonly RefUpdate[], work: RequestWork): void {
  const nameLengths = updates.reduce((sum, { name }) => sum + name.length, 0);
  work.spend(cost.rows, rowsPerUpdate * updates.length);
  work.spend(cost.parsed, namesPerUpdate * nameLengths);
}

async function outcomeOf(state: RepoState, pushId: string): Promise<CommitOutcome | undefined> {
  try {
    return await state.outcome(pushId);
  } catch (error) {
    if (error instanceof RepoGoneError) return undefined;
    throw new PushUncertainError({ cause: error });
  }
}
