import type { ObjectId, RecordedEvent, RefName, RefTarget, RefUpdate, RetiredTip, UpdateOutcome } from '@packhouse/git';
import type { RefRow } from './read-refs.ts';

/** The refs of one repository within a running transaction. */
export interface RefTable {
  /** The refs of these names; names that do not exist are left out. */
  named(names: readonly RefName[]): readonly RefRow[];
  set(name: RefName, target: RefTarget): void;
  delete(name: RefName): void;
  /** The ref that is a leading path of a new name; else the bytewise first ref below it as a folder (`<name>/...`). */
  conflicting(name: RefName): RefName | undefined;
}

/** What {@link applyUpdates} did. */
export interface AppliedUpdates {
  /** One an update, in their order. */
  readonly outcomes: readonly UpdateOutcome[];
  /** Some ref has another value now, or is new or gone. */
  readonly changed: boolean;
  /** The events of the updates by which that is so, in their order. */
  readonly events: readonly RecordedEvent[];
  /** Some ref was deleted or moved to no descendant: what packs hold may have become unreachable. */
  readonly movedBack: boolean;
  /** The values that the changed refs had: null for a new one. */
  readonly replaced: readonly RefRow<RefTarget | null>[];
  /** The values that refs left so. */
  readonly retired: readonly Omit<RetiredTip, 'at'>[];
}

const ok: UpdateOutcome = { kind: 'ok' };
const stale: UpdateOutcome = { kind: 'stale' };
const heldBack: UpdateOutcome = { kind: 'held back' };

/**
 * Applies the updates of one change to `refs`: compare-and-swap on each (GIT-125), no ref a leading path of another
 * (GIT-124), all or none if `atomic` (GIT-151), else each alone (GIT-152). Deletes go first, so that a folder can
 * become a ref and the other way round in one push.
 */
export function applyUpdates(refs: RefTable, updates: readonly RefUpdate[], atomic: boolean): AppliedUpdates {
  const found = new Map(refs.named(updates.map(({ name }) => name)).map(({ name, target }) => [name, target]));
  const before = updates.map(({ name }) => found.get(name));
  const outcomes = updates.map((update, i) => ((before[i]?.oid ?? null) === update.old ? ok : stale));
  const applied: number[] = [];

  updates.forEach((update, i) => {
    if (outcomes[i] !== ok || update.new !== null || before[i] === undefined) return;
    refs.delete(update.name);
    applied.push(i);
  });
  updates.forEach((update, i) => {
    if (outcomes[i] !== ok || update.new === null || same(before[i], update.new)) return;
    const other = before[i] === undefined ? refs.conflicting(update.name) : undefined;
    if (other !== undefined) {
      outcomes[i] = { kind: 'conflict', with: other };
      return;
    }
    refs.set(update.name, update.new);
    applied.push(i);
  });

  if (atomic && outcomes.some((outcome) => outcome !== ok)) {
    // Undone by hand: a transaction within the transaction is more than the driver promises.
    for (const i of applied) restore(refs, (updates[i] as RefUpdate).name, before[i]);
    return {
      outcomes: outcomes.map((outcome) => (outcome === ok ? heldBack : outcome)),
      changed: false,
      events: [],
      movedBack: false,
      replaced: [],
      retired: [],
    };
  }
  const isApplied = new Set(applied);
  return {
    outcomes,
    changed: applied.length > 0,
    events: updates.flatMap(({ event }, i) => (event !== undefined && isApplied.has(i) ? [event] : [])),
    movedBack: applied.some((i) => isBack(updates[i] as RefUpdate)),
    replaced: applied.map((i) => ({ name: (updates[i] as RefUpdate).name, target: before[i] ?? null })),
    retired: applied.flatMap((i) => {
      const update = updates[i] as RefUpdate;
      const left = before[i];
      return left !== undefined && isBack(update) ? [{ name: update.name, oid: left.oid }] : [];
    }),
  };
}

function isBack(update: RefUpdate): boolean {
  return update.new === null || !update.forward;
}

/** GIT-125: an update to the value that is there changes nothing. */
function same(before: RefTarget | undefined, after: { readonly oid: ObjectId }): boolean {
  return before?.oid === after.oid;
}

function restore(refs: RefTable, name: RefName, before: RefTarget | undefined): void {
  if (before === undefined) refs.delete(name);
  else refs.set(name, before);
}
