import type { Steps } from '../work/loops.ts';
import type { Lines } from './line-table.ts';
import { compareScores, scoreOf, type SplitScore } from './split-score.ts';

/** Lines that a change is moved over at most to find a better place. */
const slideMax = 100;
/** Number of moves between two stops. */
const stretch = 4096;

/** A run of changed lines `[start, end)`, perhaps empty, between two unchanged lines. */
class Group {
  start = 0;
  end = 0;
  readonly #lines: Lines;
  readonly #changed: Uint8Array;

  constructor(lines: Lines, changed: Uint8Array) {
    this.#lines = lines;
    this.#changed = changed;
    this.#extendEnd();
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  /** Moves to the next group; false after the last one. */
  next(): boolean {
    if (this.end === this.#lines.count) return false;
    this.start = this.end = this.end + 1;
    this.#extendEnd();
    return true;
  }

  previous(): void {
    this.end = this.start = this.start - 1;
    this.#extendStart();
  }

  /** Moves the run one line down, if it stays the same change. Joins it with a run that it meets. */
  slideDown(): boolean {
    const { classes, count } = this.#lines;
    if (this.end >= count || classes[this.start] !== classes[this.end]) return false;
    this.#changed[this.start++] = 0;
    this.#changed[this.end++] = 1;
    this.#extendEnd();
    return true;
  }

  slideUp(): boolean {
    const { classes } = this.#lines;
    if (this.start === 0 || classes[this.start - 1] !== classes[this.end - 1]) return false;
    this.#changed[--this.start] = 1;
    this.#changed[--this.end] = 0;
    this.#extendStart();
    return true;
  }

  #extendStart(): void {
    while (this.start > 0 && this.#changed[this.start - 1] === 1) this.start--;
  }

  #extendEnd(): void {
    while (this.#changed[this.end] === 1) this.end++;
  }
}

/**
 * Moves changes of one file up or down where that makes no difference to the result: next to a change of the other file,
 * else where people would put it (`diff.indentHeuristic`), else down. Joins changes that meet.
 *
 * Steps report moves.
 *
 * @param changed one byte a line, plus one that is 0.
 * @param usesIndent false for merges, in which Git does without that heuristic.
 */
export function* compactChanges(
  lines: Lines,
  changed: Uint8Array,
  others: Lines,
  otherChanged: Uint8Array,
  usesIndent: boolean,
): Steps<void> {
  const [group, other] = [new Group(lines, changed), new Group(others, otherChanged)];
  let moves = 0;
  do {
    if (moves > stretch) {
      yield moves;
      moves = 0;
    }
    moves++;
    if (!group.isEmpty) {
      let highest: number;
      let meets: boolean;
      let size: number;
      do {
        size = group.end - group.start;
        for (; group.slideUp(); moves++) other.previous();
        highest = group.end;
        meets = !other.isEmpty;
        for (; group.slideDown(); moves++) {
          other.next();
          meets ||= !other.isEmpty;
        }
      } while (size !== group.end - group.start);
      const slideUpTo = (isThere: () => boolean): void => {
        for (; !isThere(); moves++) {
          group.slideUp();
          other.previous();
        }
      };
      if (group.end > highest) {
        if (meets) slideUpTo(() => !other.isEmpty);
        else if (usesIndent) {
          const best = bestEnd(lines, Math.max(highest, group.end - size - 1, group.end - slideMax), group.end, size);
          moves += 8 * (group.end - highest);
          slideUpTo(() => group.end <= best);
        }
      }
    }
    other.next();
  } while (group.next());
  yield moves;
}

/** Returns the end with the best score for a change of that size; the last one of equally good ones. */
function bestEnd(lines: Lines, first: number, last: number, size: number): number {
  let best = last;
  let bestScore: SplitScore | undefined;
  for (let end = first; end <= last; end++) {
    const score = scoreOf(lines, end, end - size);
    if (bestScore !== undefined && compareScores(score, bestScore) > 0) continue;
    [best, bestScore] = [end, score];
  }
  return best;
}
