/** Decides whether the answers to clients that race fit into one order of their changes. */

import assert from 'node:assert/strict';
import { same } from '../../../tools/same.ts';

/** A change of a ref from one value to another. Null: no ref. New values are used once only. */
export interface Move {
  readonly ref: string;
  readonly old: string | null;
  readonly new: string | null;
}

/** A request for moves that happen together, with the milliseconds of its start and end. */
export interface Attempt {
  readonly client: string;
  readonly moves: readonly Move[];
  readonly from: number;
  readonly to: number;
  /** Undefined while nothing is known. */
  readonly isDone: boolean | undefined;
}

/** All refs as one client saw them. */
export interface Look {
  readonly client: string;
  readonly from: number;
  readonly to: number;
  readonly refs: Readonly<Record<string, string>>;
}

interface Step extends Move {
  readonly of: Attempt;
}

type Refs = Readonly<Record<string, string>>;

/**
 * Expects that the acknowledged moves of a ref lead from its first value to its last one, each from a value that no
 * other move left, that refused moves had lost to one of them, and that looks show only what was there.
 */
export function checkOrder(
  ref: string,
  start: Refs,
  end: Refs,
  { attempts, looks }: { readonly attempts: readonly Attempt[]; readonly looks: readonly Look[] },
): void {
  const steps = attempts.flatMap((of) => of.moves.filter((move) => move.ref === ref).map((move) => ({ ...move, of })));
  const done = steps.filter(({ of }) => of.isDone === true);
  const first = start[ref] ?? null;
  for (const value of new Set(done.map(({ old }) => old).filter((old) => old !== null))) {
    const winners = done.filter(({ old }) => old === value);
    same(winners.map(({ of }) => of.client).slice(1), [], `Exactly one change wins from ${value} of ${ref}.`);
  }
  same(end[ref] ?? null, lastOf(ref, first, done), `${ref} ends where the acknowledged changes lead.`);
  for (const { old, of } of steps.filter((one) => one.of.isDone === false)) {
    // An atomic push may be refused for its other ref.
    if (of.moves.length > 1) continue;
    const isLost = left(done, old, of.to);
    assert.ok(isLost, `${of.client} lost a race for ${ref} at ${old ?? 'no value'}, but no client had changed it.`);
  }
  const written = new Map(done.map((step) => [step.new, step]));
  for (const look of looks) {
    const value = look.refs[ref];
    if (value === undefined) continue;
    const by = written.get(value);
    const isKnown = value === first || (by !== undefined && by.of.from < look.to);
    assert.ok(isKnown, `${look.client} saw ${value} in ${ref}, which no acknowledged change had written.`);
    const next = done.find(({ old }) => old === value);
    const isOver = next !== undefined && next.of.to < look.from;
    assert.ok(!isOver, `${look.client} saw ${value} in ${ref} after a reply had shown that the ref moved on.`);
    for (const other of by?.of.moves ?? []) {
      assert.notEqual(look.refs[other.ref] ?? '', other.old ?? 'none', `${look.client} saw half of an atomic push.`);
    }
  }
}

/** Returns true if a change from the value can have happened before this time. */
function left(done: readonly Step[], value: string | null, before: number): boolean {
  return done.some((step) => step.old === value && step.of.from < before);
}

/** Follows the moves. A ref may be deleted and made again, so only moves from values are unique. */
function lastOf(ref: string, first: string | null, done: readonly Step[]): string | null {
  const balance = new Map<string | null, number>();
  for (const { old, new: value } of done) {
    balance.set(old, (balance.get(old) ?? 0) - 1);
    balance.set(value, (balance.get(value) ?? 0) + 1);
  }
  balance.set(first, (balance.get(first) ?? 0) + 1);
  const ends = [...balance].filter(([, count]) => count !== 0);
  same(
    ends.map(([, count]) => count),
    [1],
    `The acknowledged changes of ${ref} follow each other, so none of them is lost.`,
  );
  return ends[0]?.[0] ?? null;
}
