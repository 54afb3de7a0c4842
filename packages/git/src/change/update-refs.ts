import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { zeroObjectId, type ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { PushOutcome } from '../receive-pack/push.ts';
import { RefReader } from '../stored-refs/ref-reader.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import { storeChange, type ChangedRef, type ChangeRules } from './store-change.ts';

/** An update of a ref that a program asks for. */
export interface WantedUpdate extends Omit<ChangedRef, 'old'> {
  /** The value that the ref must have; null: it must not exist. Undefined: any. */
  readonly old: ObjectId | null | undefined;
}

/** The reason why an update was not made. */
export type UpdateRefusal =
  /** The ref does not have the expected value, but `head`; null if it does not exist. */
  | { readonly kind: 'stale'; readonly head: ObjectId | null }
  /** The ref to delete does not exist, or is hidden. */
  | { readonly kind: 'no ref' }
  /** No visible object has the new value. */
  | { readonly kind: 'no object' }
  /** A rule forbids it; `reason` as Git would report it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Result of {@link updateRefs}: all updates, or none. */
export type UpdateResult =
  | { readonly kind: 'done'; readonly updates: readonly ChangedRef[]; readonly outcome: PushOutcome | undefined }
  /** The refusals by the number of their update. Updates without one were held back. */
  | { readonly kind: 'refused'; readonly refusals: ReadonlyMap<number, UpdateRefusal> };

/** Attempts of updates whose refs may have any value, while others change these refs. */
const attemptsMax = 10;

/**
 * Updates refs, all or none. Names must differ. An update that expects no old value is tried again with the new one when
 * another request changed the ref meanwhile.
 *
 * @throws {NotEnoughMemoryError}
 * @throws {RepoGoneError}
 */
export async function updateRefs(
  engine: GitEngine,
  repository: GitRepository,
  first: RepoSnapshot,
  wanted: readonly WantedUpdate[],
  rules: ChangeRules,
): Promise<UpdateResult> {
  const work = engine.scheduler.begin(rules);
  const attempt = (start: RepoSnapshot, updatesOf = wanted): Promise<UpdateResult | 'raced'> =>
    retryExpired(repository, start, async (snapshot) => {
      const reader = new RefReader(engine, repository, snapshot, { hiddenRefs: rules.hiddenRefs, work });
      const found = await reader.findAll(updatesOf.map(({ name }) => name));
      const updates = updatesOf.map((update) => ({ ...update, old: found.get(update.name)?.oid ?? null }));
      const refusals = new Map<number, UpdateRefusal>();
      updatesOf.forEach(({ old, new: value }, number) => {
        const head = updates[number]?.old ?? null;
        if (old !== undefined && old !== head) refusals.set(number, { kind: 'stale', head });
        else if (value === null && head === null) refusals.set(number, { kind: 'no ref' });
      });
      if (refusals.size > 0) return { kind: 'refused', refusals };
      const { outcome, reasons } = await storeChange(engine, repository, snapshot, updates, rules);
      const refused = reasons.flatMap((reason, number) => (reason === undefined ? [] : [{ reason, number }]));
      if (refused.length === 0) return { kind: 'done', updates, outcome };
      if (refused.some(({ reason }) => reason === 'stale ref')) return 'raced';
      for (const { reason, number } of refused) {
        if (reason === 'atomic push failure') continue;
        refusals.set(number, refusalOf(reason));
      }
      return { kind: 'refused', refusals };
    });

  let snapshot = first;
  for (let number = 0; number < attemptsMax; number++) {
    const result = await attempt(snapshot);
    if (result !== 'raced') return result;
    // An update that expects a value is then found stale, and others begin with the new value.
    snapshot = (await repository.state.snapshot()) ?? snapshot;
  }
  // No value is the expected one: the result tells the values of refs that others moved all the time.
  return (await attempt(
    snapshot,
    wanted.map((update) => ({ ...update, old: zeroObjectId })),
  )) as UpdateResult;
}

function refusalOf(reason: string): UpdateRefusal {
  if (reason === 'missing necessary objects') return { kind: 'no object' };
  // A hidden ref looks like one that does not exist (GIT-129).
  return reason === 'deny updating a hidden ref' ? { kind: 'no ref' } : { kind: 'refused', reason };
}
