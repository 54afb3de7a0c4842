import { cost, type Cost } from './costs.ts';
import type { Work } from './scheduler.ts';

/** A computation that stops every now and then. Each stop tells how much was done since the one before. */
export type Steps<T> = Generator<number, T, undefined>;

/** Number of table entries that are processed in one block: about a millisecond. */
const blockEntries = 16_384;

/** Number of entries that a fast loop processes between two stops: about half a millisecond. */
export const entriesAStop: number = 64 * 1024;

/** Processes the entries of a table in blocks, `from` up to `to`. Other requests can run between the blocks. */
export async function inBlocks(work: Work, count: number, visit: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += blockEntries) {
    const to = Math.min(from + blockEntries, count);
    visit(from, to);
    if (work.spend(cost.edges, to - from)) await work.yield();
  }
}

/** Runs steps that report their cost. Other requests can run between them. Returns the result of the last step. */
export async function inTurns<T>(work: Work, kind: Cost, steps: Steps<T>): Promise<T> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (work.spend(kind, step.value)) await work.yield();
    }
  } finally {
    steps.return(undefined as T);
  }
}

/** Does the same, but without a promise if no other request has to run in between: for many small computations. */
export function atOnceOrInTurns<T>(work: Work, kind: Cost, steps: Steps<T>): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (work.spend(kind, step.value)) return work.yield().then(() => inTurns(work, kind, steps));
  }
}

/** Runs steps without a pause, for work that is known to be small. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The numbers from 0 up to `count`, exclusive, in ranges of {@link entriesAStop}: each range is one step. */
export function* stretches(count: number): Generator<readonly [from: number, to: number], void, undefined> {
  for (let from = 0; from < count; from += entriesAStop) yield [from, Math.min(from + entriesAStop, count)];
}
