import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

const digitBits = 11;
const digits = 1 << digitBits;
/** Entries that each value counts for in a pass. */
const entriesAValue = 2;

/**
 * The places of `values`, integers from 0 to 2^53 - 1, ordered by what stands there; equal values keep their order. Sorts
 * digit by digit from the lowest on, which takes less than comparisons do, and can stop at any value.
 */
export function* orderOf(values: Float64Array): Steps<Uint32Array> {
  const { length } = values;
  let largest = 0;
  for (let i = 0; i < length; i++) if ((values[i] as number) > largest) largest = values[i] as number;
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  let next = new Uint32Array(length);
  const starts = new Uint32Array(digits);
  for (let unit = 1; unit <= largest; unit *= digits) {
    // Of what fits into 32 bits, a shift tells the digit in a fraction of the time.
    const shift = largest <= 0xffff_ffff ? Math.log2(unit) : -1;
    const digitOf = (value: number): number =>
      shift < 0 ? Math.floor(value / unit) % digits : (value >>> shift) & (digits - 1);
    starts.fill(0);
    for (const [from, to] of stretches(length)) {
      for (let i = from; i < to; i++) {
        const digit = digitOf(values[i] as number);
        starts[digit] = (starts[digit] as number) + 1;
      }
      yield to - from;
    }
    for (let digit = 0, sum = 0; digit < digits; digit++) {
      const count = starts[digit] as number;
      starts[digit] = sum;
      sum += count;
    }
    for (const [from, to] of stretches(length)) {
      for (let i = from; i < to; i++) {
        const place = order[i] as number;
        const digit = digitOf(values[place] as number);
        const at = starts[digit] as number;
        next[at] = place;
        starts[digit] = at + 1;
      }
      yield entriesAValue * (to - from);
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Numbers that a native sort puts in order in a moment, and the entries that each of them counts for. */
const sortedAtOnce = 16_384;
const entriesASorted = 8;

/** Sorts numbers in place; a promise where they are many, since a native sort of these could not be interrupted. */
export function sortNumbers(numbers: Uint32Array, work: Work): Promise<void> | undefined {
  if (numbers.length > sortedAtOnce) return inTurns(work, cost.entries, sorting(numbers));
  work.spend(cost.entries, entriesASorted * numbers.length);
  numbers.sort();
  return undefined;
}

function* sorting(numbers: Uint32Array): Steps<void> {
  const values = Float64Array.from(numbers);
  const order = yield* orderOf(values);
  for (const [from, to] of stretches(order.length)) {
    for (let i = from; i < to; i++) numbers[i] = values[order[i] as number] as number;
    yield entriesAValue * (to - from);
  }
}
