import type { Steps } from '../work/loops.ts';
import { roughRoot, type KeptLines } from './discard-lines.ts';

/** Least cost at which the search gives up to find the shortest script. */
const costMin = 256;
/** Cost from which a good diagonal ends the search. */
const heuristicCost = 256;
/** Number of equal lines in a row that make a diagonal good. */
const longRun = 20;
/** A good diagonal has passed more than this times the cost. */
const goodFactor = 4;
const lineMax = 0x7fff_ffff;

/** A part of both files: lines `[oldFrom, oldTo)` and `[newFrom, newTo)`. */
interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** True if the search must find the shortest script. */
  readonly isMinimal: boolean;
}

/** A point on the way through a box, and if the parts before and after it must be searched to the end. */
interface Split {
  readonly old: number;
  readonly new: number;
  readonly isMinimalBefore: boolean;
  readonly isMinimalAfter: boolean;
}

/**
 * Finds a script of few changes by the linear-space algorithm of Myers ("An O(ND) Difference Algorithm", 1986), which
 * meets in the middle. Gives up at the costs at which Git does. Marks changed lines.
 *
 * Steps report visited diagonals and lines.
 */
export function* findScript(
  [before, after]: readonly [KeptLines, KeptLines],
  changed: readonly [Uint8Array, Uint8Array],
): Steps<void> {
  const [a, b] = [before.classes, after.classes];
  const diagonals = a.length + b.length + 3;
  const search = new MiddleSearch(a, b, Math.max(roughRoot(diagonals), costMin));
  const boxes: Box[] = [{ oldFrom: 0, oldTo: a.length, newFrom: 0, newTo: b.length, isMinimal: false }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { oldFrom, oldTo, newFrom, newTo } = box;
    while (oldFrom < oldTo && newFrom < newTo && a[oldFrom] === b[newFrom]) {
      oldFrom++;
      newFrom++;
    }
    while (oldFrom < oldTo && newFrom < newTo && a[oldTo - 1] === b[newTo - 1]) {
      oldTo--;
      newTo--;
    }
    yield box.oldTo - box.oldFrom - (oldTo - oldFrom) + 1;
    if (oldFrom === oldTo || newFrom === newTo) {
      for (let i = oldFrom; i < oldTo; i++) changed[0][before.numbers[i] as number] = 1;
      for (let i = newFrom; i < newTo; i++) changed[1][after.numbers[i] as number] = 1;
      continue;
    }
    const at = yield* search.split({ oldFrom, oldTo, newFrom, newTo, isMinimal: box.isMinimal });
    boxes.push({ oldFrom: at.old, oldTo, newFrom: at.new, newTo, isMinimal: at.isMinimalAfter });
    boxes.push({ oldFrom, oldTo: at.old, newFrom, newTo: at.new, isMinimal: at.isMinimalBefore });
  }
}

/** Searches from both corners of a box. Diagonal d has the points with old − new = d. */
class MiddleSearch {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #costMax: number;
  /** By diagonal, from {@link MiddleSearch.#zero}: the furthest old line that a way from the start reaches. */
  readonly #forward: Int32Array;
  /** The same from the end. */
  readonly #backward: Int32Array;
  readonly #zero: number;

  constructor(a: Int32Array, b: Int32Array, costMax: number) {
    this.#a = a;
    this.#b = b;
    this.#costMax = costMax;
    this.#zero = b.length + 1;
    this.#forward = new Int32Array(a.length + b.length + 3);
    this.#backward = new Int32Array(a.length + b.length + 3);
  }

  *split(box: Box): Steps<Split> {
    const [a, b, forward, backward, zero] = [this.#a, this.#b, this.#forward, this.#backward, this.#zero];
    const { oldFrom, oldTo, newFrom, newTo } = box;
    const [least, most] = [oldFrom - newTo, oldTo - newFrom];
    const [start, end] = [oldFrom - newFrom, oldTo - newTo];
    const isOdd = ((start - end) & 1) !== 0;
    let [forwardMin, forwardMax, backwardMin, backwardMax] = [start, start, end, end];
    forward[zero + start] = oldFrom;
    backward[zero + end] = oldTo;
    for (let spent = 1; ; spent++) {
      let hasLongRun = false;
      let passed = 0;
      // Beyond the outermost diagonals are values that no way would come from.
      if (forwardMin > least) forward[zero + --forwardMin - 1] = -1;
      else ++forwardMin;
      if (forwardMax < most) forward[zero + ++forwardMax + 1] = -1;
      else --forwardMax;
      for (let d = forwardMax; d >= forwardMin; d -= 2) {
        const [below, above] = [forward[zero + d - 1] as number, forward[zero + d + 1] as number];
        const from = below >= above ? below + 1 : above;
        let i = from;
        for (let j = i - d; i < oldTo && j < newTo && a[i] === b[j]; j++) i++;
        if (i - from > longRun) hasLongRun = true;
        passed += i - from;
        forward[zero + d] = i;
        if (isOdd && backwardMin <= d && d <= backwardMax && (backward[zero + d] as number) <= i) {
          yield passed + spent;
          return { old: i, new: i - d, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      if (backwardMin > least) backward[zero + --backwardMin - 1] = lineMax;
      else ++backwardMin;
      if (backwardMax < most) backward[zero + ++backwardMax + 1] = lineMax;
      else --backwardMax;
      for (let d = backwardMax; d >= backwardMin; d -= 2) {
        const [below, above] = [backward[zero + d - 1] as number, backward[zero + d + 1] as number];
        const from = below < above ? below : above - 1;
        let i = from;
        for (let j = i - d; i > oldFrom && j > newFrom && a[i - 1] === b[j - 1]; j--) i--;
        if (from - i > longRun) hasLongRun = true;
        passed += from - i;
        backward[zero + d] = i;
        if (!isOdd && forwardMin <= d && d <= forwardMax && i <= (forward[zero + d] as number)) {
          yield passed + spent;
          return { old: i, new: i - d, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      yield passed + spent;
      if (box.isMinimal) continue;
      if (hasLongRun && spent > heuristicCost) {
        const found =
          this.#goodForward(box, forwardMin, forwardMax, spent) ??
          this.#goodBackward(box, backwardMin, backwardMax, spent);
        if (found !== undefined) return found;
      }
      if (spent >= this.#costMax) {
        return this.#furthest(box, [forwardMin, forwardMax], [backwardMin, backwardMax]);
      }
    }
  }

  /** Finds the diagonal that came furthest and ends with equal lines. */
  #goodForward({ oldFrom, oldTo, newFrom, newTo }: Box, min: number, max: number, spent: number): Split | undefined {
    const [a, b, start] = [this.#a, this.#b, oldFrom - newFrom];
    let best = 0;
    let found: Split | undefined;
    for (let d = max; d >= min; d -= 2) {
      const i = this.#forward[this.#zero + d] as number;
      const j = i - d;
      const value = i - oldFrom + (j - newFrom) - Math.abs(d - start);
      if (value <= goodFactor * spent || value <= best) continue;
      if (oldFrom + longRun > i || i >= oldTo || newFrom + longRun > j || j >= newTo) continue;
      let run = 0;
      while (run < longRun && a[i - 1 - run] === b[j - 1 - run]) run++;
      if (run < longRun) continue;
      best = value;
      found = { old: i, new: j, isMinimalBefore: true, isMinimalAfter: false };
    }
    return found;
  }

  #goodBackward({ oldFrom, oldTo, newFrom, newTo }: Box, min: number, max: number, spent: number): Split | undefined {
    const [a, b, end] = [this.#a, this.#b, oldTo - newTo];
    let best = 0;
    let found: Split | undefined;
    for (let d = max; d >= min; d -= 2) {
      const i = this.#backward[this.#zero + d] as number;
      const j = i - d;
      const value = oldTo - i + (newTo - j) - Math.abs(d - end);
      if (value <= goodFactor * spent || value <= best) continue;
      if (oldFrom >= i || i > oldTo - longRun || newFrom >= j || j > newTo - longRun) continue;
      let run = 0;
      while (run < longRun && a[i + run] === b[j + run]) run++;
      if (run < longRun) continue;
      best = value;
      found = { old: i, new: j, isMinimalBefore: false, isMinimalAfter: true };
    }
    return found;
  }

  /** Takes the point that is furthest from its corner when the search gives up. */
  #furthest(
    { oldFrom, oldTo, newFrom, newTo }: Box,
    [forwardMin, forwardMax]: readonly [number, number],
    [backwardMin, backwardMax]: readonly [number, number],
  ): Split {
    let [reached, reachedOld] = [-1, -1];
    for (let d = forwardMax; d >= forwardMin; d -= 2) {
      const i = Math.min(this.#forward[this.#zero + d] as number, oldTo, newTo + d);
      if (reached >= 2 * i - d) continue;
      [reached, reachedOld] = [2 * i - d, i];
    }
    let [left, leftOld] = [lineMax, lineMax];
    for (let d = backwardMax; d >= backwardMin; d -= 2) {
      const i = Math.max(this.#backward[this.#zero + d] as number, oldFrom, newFrom + d);
      if (2 * i - d >= left) continue;
      [left, leftOld] = [2 * i - d, i];
    }
    return oldTo + newTo - left < reached - (oldFrom + newFrom)
      ? { old: reachedOld, new: reached - reachedOld, isMinimalBefore: true, isMinimalAfter: false }
      : { old: leftOld, new: left - leftOld, isMinimalBefore: false, isMinimalAfter: true };
  }
}
