import { entriesAStop, type Steps } from '../work/loops.ts';
import { discardLines } from './discard-lines.ts';
import type { LinePair, Lines } from './line-table.ts';
import { findScript } from './shortest-script.ts';

/** A part of two files: lines `oldStart` up to `oldEnd` of one, exclusive, and likewise of the other. */
interface Region {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Lines that occur more often in a region split no region. */
const occurrencesMax = 64;

/**
 * Marks the changed lines of two files by the histogram algorithm, as `git diff --histogram` finds them: splits at the
 * longest run of equal lines that contains the rarest line, and goes on with the parts before and behind it. Regions
 * whose common lines are all frequent are compared as by default. Steps report lines.
 *
 * @param changed by side: one byte a line, plus one that is 0.
 */
export function* histogramDiff(pair: LinePair, changed: readonly [Uint8Array, Uint8Array]): Steps<void> {
  const search = new SplitSearch(pair);
  const waiting: Region[] = [{ oldStart: 0, oldEnd: pair.old.count, newStart: 0, newEnd: pair.new.count }];
  for (let region = waiting.pop(); region !== undefined; region = waiting.pop()) {
    const { oldStart, oldEnd, newStart, newEnd } = region;
    const split = oldStart < oldEnd && newStart < newEnd ? yield* search.find(region) : undefined;
    if (split === 'too frequent') {
      yield* classic(pair, region, changed);
    } else if (split === undefined) {
      changed[0].fill(1, oldStart, oldEnd);
      changed[1].fill(1, newStart, newEnd);
    } else {
      waiting.push({ oldStart: split.oldEnd, oldEnd, newStart: split.newEnd, newEnd });
      waiting.push({ oldStart, oldEnd: split.oldStart, newStart, newEnd: split.newStart });
    }
  }
}

function* classic(
  { old, new: to, classCount }: LinePair,
  { oldStart, oldEnd, newStart, newEnd }: Region,
  changed: readonly [Uint8Array, Uint8Array],
): Steps<void> {
  const part = { old: linesFrom(old, oldStart, oldEnd), new: linesFrom(to, newStart, newEnd), classCount };
  const marks = [new Uint8Array(part.old.count + 1), new Uint8Array(part.new.count + 1)] as const;
  yield* findScript(discardLines(part, marks), marks);
  changed[0].set(marks[0].subarray(0, part.old.count), oldStart);
  changed[1].set(marks[1].subarray(0, part.new.count), newStart);
}

function linesFrom({ content, starts, classes }: Lines, from: number, to: number): Lines {
  return { content, count: to - from, starts: starts.subarray(from, to + 1), classes: classes.subarray(from, to) };
}

/** No line, in tables of line numbers plus one. */
const none = 0;

class SplitSearch {
  readonly #old: Int32Array;
  readonly #new: Int32Array;
  /** By class: number plus one of its first line in the region, and how often it occurs there. */
  readonly #first: Uint32Array;
  readonly #counts: Uint32Array;
  /** By line: number plus one of the next equal line in the region. */
  readonly #next: Uint32Array;

  constructor({ old, new: to, classCount }: LinePair) {
    this.#old = old.classes;
    this.#new = to.classes;
    this.#first = new Uint32Array(classCount);
    this.#counts = new Uint32Array(classCount);
    this.#next = new Uint32Array(old.count);
  }

  /** Finds the equal lines to split a region at; undefined if it has no line in common. */
  *find(region: Region): Steps<Region | 'too frequent' | undefined> {
    const [old, changed, first, counts] = [this.#old, this.#new, this.#first, this.#counts];
    const { oldStart, oldEnd, newStart, newEnd } = region;
    this.#index(region);
    let passed = oldEnd - oldStart;
    let best: Region | undefined;
    let rarest = occurrencesMax + 1;
    let hasCommon = false;
    for (let line = newStart; line < newEnd;) {
      const kind = changed[line] as number;
      let following = line + 1;
      const count = counts[kind] ?? 0;
      if (count > 0) hasCommon = true;
      let at = count > 0 && count <= rarest ? (first[kind] as number) - 1 : -1;
      while (at >= 0) {
        let [from, to, otherFrom, otherTo, rarity] = [at, at + 1, line, line + 1, count];
        while (from > oldStart && otherFrom > newStart && old[from - 1] === changed[otherFrom - 1]) {
          from--;
          otherFrom--;
          if (rarity > 1) rarity = Math.min(rarity, counts[old[from] as number] as number);
        }
        while (to < oldEnd && otherTo < newEnd && old[to] === changed[otherTo]) {
          if (rarity > 1) rarity = Math.min(rarity, counts[old[to] as number] as number);
          to++;
          otherTo++;
        }
        following = Math.max(following, otherTo);
        const isLonger = to - from > (best === undefined ? 1 : best.oldEnd - best.oldStart);
        if (isLonger || rarity < rarest) {
          best = { oldStart: from, oldEnd: to, newStart: otherFrom, newEnd: otherTo };
          rarest = rarity;
        }
        passed += to - from;
        if (passed >= entriesAStop) {
          yield passed;
          passed = 0;
        }
        do at = (this.#next[at] as number) - 1;
        while (at >= 0 && at < to);
      }
      passed += 1;
      line = following;
    }
    this.#forget(region);
    yield passed;
    return hasCommon && rarest > occurrencesMax ? 'too frequent' : best;
  }

  #index({ oldStart, oldEnd }: Region): void {
    for (let line = oldEnd - 1; line >= oldStart; line--) {
      const kind = this.#old[line] as number;
      this.#next[line] = this.#first[kind] as number;
      this.#first[kind] = line + 1;
      this.#counts[kind] = (this.#counts[kind] as number) + 1;
    }
  }

  #forget({ oldStart, oldEnd }: Region): void {
    for (let line = oldStart; line < oldEnd; line++) {
      const kind = this.#old[line] as number;
      this.#first[kind] = none;
      this.#counts[kind] = 0;
    }
  }
}
