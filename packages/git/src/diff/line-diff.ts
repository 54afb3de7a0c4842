import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { compactChanges } from './compact-changes.ts';
import { discardLines } from './discard-lines.ts';
import { linePair, unclassifiedLines, type Lines } from './line-table.ts';
import { findScript } from './shortest-script.ts';

/** A change of lines: `[oldFrom, oldTo)` become `[newFrom, newTo)`. One of them may be empty. */
export interface LineChange {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Two contents, and how the lines of one become those of the other. */
export interface LineDiff {
  readonly old: Lines;
  readonly new: Lines;
  /** In the order of lines. Never adjacent. */
  readonly changes: readonly LineChange[];
}

/** Compares two contents by lines, like `git diff` does by default. Bounded like Git's search. */
export async function diffLines(from: Uint8Array, to: Uint8Array, work: Work): Promise<LineDiff> {
  if (from.length === 0 || to.length === 0) return oneChange(from, to, work);
  const pair = await inTurns(work, cost.parsed, linePair(from, to));
  const changed = [new Uint8Array(pair.old.count + 1), new Uint8Array(pair.new.count + 1)] as const;
  if (work.spend(cost.entries, 3 * (pair.old.count + pair.new.count))) await work.yield();
  const kept = discardLines(pair, changed);
  await inTurns(work, cost.entries, findScript(kept, changed));
  await inTurns(work, cost.entries, compactChanges(pair.old, changed[0], pair.new, changed[1], true));
  await inTurns(work, cost.entries, compactChanges(pair.new, changed[1], pair.old, changed[0], true));
  return { old: pair.old, new: pair.new, changes: changesOf(changed) };
}

/** Compares contents of which one is empty. It is not necessary to know which lines are equal. */
async function oneChange(from: Uint8Array, to: Uint8Array, work: Work): Promise<LineDiff> {
  if (work.spend(cost.compared, from.length + to.length)) await work.yield();
  const [old, added] = [unclassifiedLines(from), unclassifiedLines(to)];
  const changes =
    old.count + added.count === 0 ? [] : [{ oldFrom: 0, oldTo: old.count, newFrom: 0, newTo: added.count }];
  return { old, new: added, changes };
}

/** Collects the changes from flags of both files: one byte a line, plus one. */
export function changesOf([old, to]: readonly [Uint8Array, Uint8Array]): LineChange[] {
  const changes: LineChange[] = [];
  for (let i = 0, j = 0; i < old.length && j < to.length; i++, j++) {
    const [oldFrom, newFrom] = [i, j];
    while (old[i] === 1) i++;
    while (to[j] === 1) j++;
    if (i > oldFrom || j > newFrom) changes.push({ oldFrom, oldTo: i, newFrom, newTo: j });
  }
  return changes;
}

/** Returns the number of lines that changes add and delete. */
export function countLines(changes: readonly LineChange[]): { readonly added: number; readonly deleted: number } {
  let [added, deleted] = [0, 0];
  for (const { oldFrom, oldTo, newFrom, newTo } of changes) {
    added += newTo - newFrom;
    deleted += oldTo - oldFrom;
  }
  return { added, deleted };
}
