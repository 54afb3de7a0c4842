import { StatementSync } from 'node:sqlite';
import { cost } from '@packhouse/git';

/** Methods of a statement, and how many rows their answer holds. */
const rowsOf: Readonly<Record<'all' | 'get' | 'run', (answer: unknown) => number>> = {
  // A look-up that finds nothing has looked at a row, too.
  all: (answer) => Math.max(1, (answer as readonly unknown[]).length),
  get: () => 1,
  run: () => 1,
};

/**
 * Adds to `amounts` what SQLite and JSON are asked for: rows, and characters as parsed bytes. Answers how to end that.
 * It holds for the whole process.
 */
export function countPlatform(amounts: Float64Array): () => void {
  const count = (kind: number, amount: number): void => {
    amounts[kind] = (amounts[kind] as number) + amount;
  };
  const statements = StatementSync.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const json = JSON as unknown as Record<string, (...given: unknown[]) => unknown>;
  const undo: (() => void)[] = [];
  const wrap = (
    owner: Record<string, (...given: unknown[]) => unknown>,
    name: string,
    counted: (given: readonly unknown[], answer: unknown) => void,
  ): void => {
    const own = owner[name];
    if (own === undefined) return;
    owner[name] = function wrapped(this: unknown, ...given: unknown[]): unknown {
      const answer = own.apply(this, given);
      counted(given, answer);
      return answer;
    };
    undo.push(() => (owner[name] = own));
  };
  for (const [name, rows] of Object.entries(rowsOf)) {
    wrap(statements, name, (_, answer) => count(cost.rows, rows(answer)));
  }
  wrap(json, 'parse', ([text]) => count(cost.parsed, String(text).length));
  wrap(json, 'stringify', (_, text) => count(cost.parsed, String(text).length));
  return () => {
    for (const restore of undo) restore();
  };
}
