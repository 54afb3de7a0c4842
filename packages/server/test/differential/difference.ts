import { expect } from 'vitest';
import { printed, type ReplyPart } from './reply-parts.ts';

/** The replies to one request. */
export interface Replies {
  readonly ours: readonly ReplyPart[];
  readonly stock: readonly ReplyPart[];
}

/** A way in which a reply may differ from the one of stock `git`. All else must be equal to the byte. */
export interface Difference<Context> {
  readonly name: string;
  /** Requirement or decision that the difference comes from. */
  readonly from: string;
  /** The behaviour of each side, and the reason for ours. */
  readonly why: string;
  /** Takes the difference out of the replies, and nothing else. */
  readonly without: (replies: Replies, context: Context) => Replies;
}

/** A change of the same kind to both replies. */
export function both(change: (parts: readonly ReplyPart[]) => readonly ReplyPart[], { ours, stock }: Replies): Replies {
  return { ours: change(ours), stock: change(stock) };
}

/** Lines of a reply, in order. */
export function linesOfParts(parts: readonly ReplyPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'line' ? [part.text] : []));
}

/** Counts how often each difference of a table was met. */
export interface SeenDifferences {
  count(name: string): void;
  /** Expects each difference to have been met in that many rounds, if they are enough for that. */
  expectAll(rounds: number): void;
}

/** Rounds after which a difference that was never met is a leftover. */
const enoughRounds = 500;

export function seenDifferences(table: readonly Pick<Difference<never>, 'name'>[]): SeenDifferences {
  const seen = new Map([['equal', 0], ...table.map(({ name }) => [name, 0] as const)]);
  return {
    count: (name) => void seen.set(name, (seen.get(name) ?? 0) + 1),
    expectAll(rounds) {
      expect(seen.get('equal')).toBeGreaterThan(0);
      if (rounds < enoughRounds) return;
      expect([...seen].flatMap(([name, count]) => (count === 0 ? [name] : []))).toEqual([]);
    },
  };
}

/**
 * Compares two replies byte by byte, less the differences of the table, which are taken out one after the other until the
 * replies are equal.
 */
export function expectSame<Context extends { readonly ask: object }>(
  replies: Replies,
  table: readonly Difference<Context>[],
  context: Context,
  seen: SeenDifferences,
): void {
  let left = replies;
  const isEqual = (): boolean => printed(left.ours) === printed(left.stock);
  if (isEqual()) return seen.count('equal');
  for (const { name, without } of table) {
    const next = without(left, context);
    if (printed(next.ours) === printed(left.ours) && printed(next.stock) === printed(left.stock)) continue;
    left = next;
    seen.count(name);
    if (isEqual()) return;
  }
  const texts = [replies.ours, replies.stock].map(printed);
  expect(printed(left.ours), `${JSON.stringify(context.ask)}\n${texts.join('\n\n')}\n`).toEqual(printed(left.stock));
}
