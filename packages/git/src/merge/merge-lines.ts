import { compactChanges } from '../diff/compact-changes.ts';
import { histogramDiff } from '../diff/histogram.ts';
import { changesOf } from '../diff/line-diff.ts';
import type { LinePair, Lines } from '../diff/line-table.ts';
import type { Steps } from '../work/loops.ts';

/**
 * A place where the result differs from ours, or where both sides changed. Starts are line numbers of base, ours and
 * theirs.
 */
export interface MergeHunk {
  /** The side whose lines count; `both` is a conflict, `same` is a conflict whose sides turned out to be equal. */
  take: 'ours' | 'theirs' | 'both' | 'same';
  oursStart: number;
  oursCount: number;
  theirsStart: number;
  theirsCount: number;
}

/** A change of lines. Either count may be 0. */
interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Conflicts with at most so many lines of ours between them become one, as at Git's level "zealous". */
const joinedOver = 3;

/**
 * Merges the lines of two sides with a common base, all of one `lineTable`. Returns the hunks in order, as Git's
 * merges have them (level "zealous", histogram diff). Between hunks, the result has the lines of ours. Steps count
 * lines.
 */
export function* mergeLines(base: Lines, ours: Lines, theirs: Lines, classCount: number): Steps<MergeHunk[]> {
  const own = yield* diff({ old: base, new: ours, classCount });
  const other = yield* diff({ old: base, new: theirs, classCount });
  const found = combine(own, other, ours, theirs, base.count);
  const refined: MergeHunk[] = [];
  for (const hunk of found) {
    if (hunk.take !== 'both' || hunk.oursCount === 0 || hunk.theirsCount === 0) refined.push(hunk);
    else refined.push(...(yield* refine(hunk, ours, theirs)));
  }
  return joinNear(refined);
}

/** The hunks by which one file differs from another. */
function* diff(pair: LinePair): Steps<Hunk[]> {
  const { old, new: to } = pair;
  const changed = [new Uint8Array(old.count + 1), new Uint8Array(to.count + 1)] as const;
  yield* histogramDiff(pair, changed);
  yield* compactChanges(old, changed[0], to, changed[1], false);
  yield* compactChanges(to, changed[1], old, changed[0], false);
  return changesOf(changed).map(({ oldFrom, oldTo, newFrom, newTo }) => ({
    oldStart: oldFrom,
    oldCount: oldTo - oldFrom,
    newStart: newFrom,
    newCount: newTo - newFrom,
  }));
}

/** Puts the hunks of both sides in order. Those that overlap or touch become conflicts, unless they are equal. */
function combine(
  own: readonly Hunk[],
  other: readonly Hunk[],
  ours: Lines,
  theirs: Lines,
  baseCount: number,
): MergeHunk[] {
  const merged: MergeHunk[] = [];
  let [i, j] = [0, 0];
  /** How far lines of a side are behind those of the base, before its next hunk. */
  const oursAhead = (): number => {
    const next = own[i];
    return next === undefined ? ours.count - baseCount : next.newStart - next.oldStart;
  };
  const theirsAhead = (): number => {
    const next = other[j];
    return next === undefined ? theirs.count - baseCount : next.newStart - next.oldStart;
  };
  for (;;) {
    const [a, b] = [own[i], other[j]];
    if (a !== undefined && (b === undefined || a.oldStart + a.oldCount < b.oldStart)) {
      append(merged, {
        take: 'ours',
        oursStart: a.newStart,
        oursCount: a.newCount,
        theirsStart: a.oldStart + theirsAhead(),
        theirsCount: a.oldCount,
      });
      i++;
    } else if (b !== undefined && (a === undefined || b.oldStart + b.oldCount < a.oldStart)) {
      append(merged, {
        take: 'theirs',
        oursStart: b.oldStart + oursAhead(),
        oursCount: b.oldCount,
        theirsStart: b.newStart,
        theirsCount: b.newCount,
      });
      j++;
    } else if (a === undefined || b === undefined) {
      return merged;
    } else {
      if (!isSame(a, b, ours, theirs)) append(merged, conflictOf(a, b));
      const [aEnd, bEnd] = [a.oldStart + a.oldCount, b.oldStart + b.oldCount];
      if (aEnd >= bEnd) j++;
      if (bEnd >= aEnd) i++;
    }
  }
}

/** Tests if both sides replace the same lines by the same ones. */
function isSame(a: Hunk, b: Hunk, ours: Lines, theirs: Lines): boolean {
  if (a.oldStart !== b.oldStart || a.oldCount !== b.oldCount || a.newCount !== b.newCount) return false;
  for (let i = 0; i < a.newCount; i++)
    if (ours.classes[a.newStart + i] !== theirs.classes[b.newStart + i]) return false;
  return true;
}

/** Extends two hunks to the same lines of the base. */
function conflictOf(a: Hunk, b: Hunk): MergeHunk {
  const start = Math.min(a.oldStart, b.oldStart);
  const end = Math.max(a.oldStart + a.oldCount, b.oldStart + b.oldCount);
  const extended = ({ oldStart, oldCount, newStart, newCount }: Hunk): readonly [number, number] => {
    const from = newStart - (oldStart - start);
    return [from, newStart + newCount + (end - oldStart - oldCount) - from];
  };
  const [[oursStart, oursCount], [theirsStart, theirsCount]] = [extended(a), extended(b)];
  return { take: 'both', oursStart, oursCount, theirsStart, theirsCount };
}

/** Appends a hunk, or extends the last one by it if they touch on either side. */
function append(merged: MergeHunk[], hunk: MergeHunk): void {
  const last = merged.at(-1);
  if (
    last === undefined ||
    (hunk.oursStart > last.oursStart + last.oursCount && hunk.theirsStart > last.theirsStart + last.theirsCount)
  ) {
    merged.push(hunk);
    return;
  }
  if (hunk.take !== last.take) last.take = 'both';
  last.oursCount = hunk.oursStart + hunk.oursCount - last.oursStart;
  last.theirsCount = hunk.theirsStart + hunk.theirsCount - last.theirsStart;
}

/** Splits a conflict into the parts in which both sides differ from each other. */
function* refine(hunk: MergeHunk, ours: Lines, theirs: Lines): Steps<MergeHunk[]> {
  const { oursStart, oursCount, theirsStart, theirsCount } = hunk;
  /** Numbers the classes of this part, since a diff has tables as long as the largest one. */
  const numbers = new Map<number, number>();
  const old = linesFrom(ours, oursStart, oursCount, numbers);
  const to = linesFrom(theirs, theirsStart, theirsCount, numbers);
  const parts = yield* diff({ old, new: to, classCount: numbers.size });
  if (parts.length === 0) return [{ ...hunk, take: 'same' }];
  return parts.map((part) => ({
    take: 'both',
    oursStart: oursStart + part.oldStart,
    oursCount: part.oldCount,
    theirsStart: theirsStart + part.newStart,
    theirsCount: part.newCount,
  }));
}

function linesFrom(
  { content, starts, classes }: Lines,
  start: number,
  count: number,
  numbers: Map<number, number>,
): Lines {
  const own = classes.slice(start, start + count);
  for (const [i, number] of own.entries()) {
    const known = numbers.get(number);
    own[i] = known ?? numbers.size;
    if (known === undefined) numbers.set(number, numbers.size);
  }
  return { content, count, starts: starts.subarray(start, start + count + 1), classes: own };
}

/** Joins conflicts with few lines between them: a reader would have to look at them together. */
function joinNear(hunks: readonly MergeHunk[]): MergeHunk[] {
  const joined: MergeHunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const isNear =
      last?.take === 'both' && hunk.take === 'both' && hunk.oursStart - last.oursStart - last.oursCount <= joinedOver;
    if (!isNear) {
      joined.push(hunk);
      continue;
    }
    last.oursCount = hunk.oursStart + hunk.oursCount - last.oursStart;
    last.theirsCount = hunk.theirsStart + hunk.theirsCount - last.theirsStart;
  }
  return joined;
}
