import type { LinePair, Lines } from './line-table.ts';

/** Lines that the search for the shortest script looks at. */
export interface KeptLines {
  /** Classes of the kept lines. */
  readonly classes: Int32Array;
  /** By kept line: its number in the file. */
  readonly numbers: Int32Array;
}

/** Lines that occur more often on the other side than this count as frequent. */
const frequentMax = 1024;
/** Distance in which neighbours of a frequent line decide about it. */
const windowMax = 100;
/** Lines in a run count as many times this if they are frequent. */
const frequentWeight = 4;

const [unmatched, matched, frequent] = [0, 1, 2];

/**
 * Drops the common front and end of two files, then lines that the search does not need: those that the other side does
 * not have, and frequent ones between such lines. Marks dropped lines as changed.
 *
 * @param changed by side: one byte a line, plus one.
 */
export function discardLines(
  { old, new: to, classCount }: LinePair,
  changed: readonly [Uint8Array, Uint8Array],
): readonly [KeptLines, KeptLines] {
  const most = Math.min(old.count, to.count);
  let front = 0;
  while (front < most && old.classes[front] === to.classes[front]) front++;
  let back = 0;
  while (back < most - front && old.classes[old.count - 1 - back] === to.classes[to.count - 1 - back]) back++;
  const [oldCounts, newCounts] = [countsOf(old, classCount), countsOf(to, classCount)];
  return [keep(old, newCounts, front, back, changed[0]), keep(to, oldCounts, front, back, changed[1])];
}

function countsOf({ classes }: Lines, classCount: number): Uint32Array {
  const counts = new Uint32Array(classCount);
  for (const one of classes) counts[one] = (counts[one] as number) + 1;
  return counts;
}

function keep(
  { classes, count }: Lines,
  others: Uint32Array,
  front: number,
  back: number,
  changed: Uint8Array,
): KeptLines {
  const end = count - back;
  const limit = Math.min(roughRoot(count), frequentMax);
  const kinds = new Uint8Array(count);
  for (let i = front; i < end; i++) {
    const times = others[classes[i] as number] as number;
    kinds[i] = times === 0 ? unmatched : times >= limit ? frequent : matched;
  }
  const numbers = new Int32Array(end - front);
  let kept = 0;
  for (let i = front; i < end; i++) {
    const kind = kinds[i];
    if (kind === matched || (kind === frequent && !isBetweenUnmatched(kinds, i, front, end - 1))) numbers[kept++] = i;
    else changed[i] = 1;
  }
  const own = numbers.subarray(0, kept);
  return { numbers: own, classes: own.map((line) => classes[line] as number) };
}

/** Tests if a frequent line is in the middle of a run of lines most of which the other side does not have. */
function isBetweenUnmatched(kinds: Uint8Array, at: number, first: number, last: number): boolean {
  const before = runFrom(kinds, at, -1, Math.max(first, at - windowMax));
  if (before.unmatched === 0) return false;
  const after = runFrom(kinds, at, 1, Math.min(last, at + windowMax));
  if (after.unmatched === 0) return false;
  const frequents = before.frequent + after.frequent + 2;
  return frequents * frequentWeight < frequents + before.unmatched + after.unmatched;
}

function runFrom(kinds: Uint8Array, at: number, step: number, last: number): { unmatched: number; frequent: number } {
  const run = { unmatched: 0, frequent: 0 };
  for (let i = at + step; step < 0 ? i >= last : i <= last; i += step) {
    if (kinds[i] === unmatched) run.unmatched++;
    else if (kinds[i] === frequent) run.frequent++;
    else break;
  }
  return run;
}

/** Returns a power of two near the square root, as Git bounds its search with. */
export function roughRoot(number: number): number {
  let root = 1;
  for (let left = number; left > 0; left >>= 2) root <<= 1;
  return root;
}
