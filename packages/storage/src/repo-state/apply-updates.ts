import type { ObjectId, RecordedEvent, RefName, RefTarget, RefUpdate, RetiredTip, UpdateOutcome } from '@packhouse/git';
import type { RefRow } from './read-refs.ts';

/** Refs of one repository within a running transaction. */
export interface RefTable {
  /** Returns the refs with these names; omits missing ones. */
  named(names: readonly RefName[]): readonly RefRow[];
  set(name: RefName, target: RefTarget): void;
  delete(name: RefName): void;
  /**
   * Returns the ref that is a leading path of a new name, or else the bytewise first ref below it as a folder
   * (`<name>/...`).
   */
  conflicting(name: RefName): RefName | undefined;
}

/** Result of {@link applyUpdates}. */
export interface AppliedUpdates {
  /** One per update, in their order. */
  readonly outcomes: readonly UpdateOutcome[];
  /** True if any ref was created, changed or deleted. */
  readonly changed: boolean;
  /** Events of the updates that changed something, in their order. */
  readonly events: readonly RecordedEvent[];
  /** Refs that were created minus those that were deleted. */
  readonly added: number;
  /** True if any ref was deleted or moved to a non-descendant, so that objects may have become unreachable. */
  readonly movedBack: boolean;
  /** Previous values of the changed refs; null for a new ref. */
  readonly replaced: readonly RefRow<RefTarget | null>[];
  /** Values that refs left by such moves. */
  readonly retired: readonly Omit<RetiredTip, 'at'>[];
}

const ok: UpdateOutcome = { kind: 'ok' };
const stale: UpdateOutcome = { kind: 'stale' };
const heldBack: UpdateOutcome = { kind: 'held back' };

/**
 * Applies the updates of one change to `refs`: compare-and-swap for each (GIT-125); no ref is a leading path of another
 * (GIT-124); all or none if `atomic` (GIT-151), otherwise each independently (GIT-152). Deletes go first, so that one
 * push can turn a folder into a ref and vice versa.
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
    // Undo by hand, since the driver does not promise nested transactions.
    for (const i of applied) restore(refs, (updates[i] as RefUpdate).name, before[i]);
    return {
      outcomes: outcomes.map((outcome) => (outcome === ok ? heldBack : outcome)),
      changed: false,
      added: 0,
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
    added: applied.reduce((sum, i) => sum + difference(before[i], (updates[i] as RefUpdate).new), 0),
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

/** Returns by how many refs an update changes their number. */
function difference(before: RefTarget | undefined, after: object | null): number {
  return (after === null ? 0 : 1) - (before === undefined ? 0 : 1);
}

function isBack(update: RefUpdate): boolean {
  return update.new === null || !update.forward;
}

/** An update to the current value changes nothing (GIT-125). */
function same(before: RefTarget | undefined, after: { readonly oid: ObjectId }): boolean {
  return before?.oid === after.oid;
}

function restore(refs: RefTable, name: RefName, before: RefTarget | undefined): void {
  if (before === undefined) refs.delete(name);
  else refs.set(name, before);
}
