import { StatementSync } from 'node:sqlite';
import { cost } from '@packhouse/git';

/** Methods of a statement, with the number of rows in their results. */
const rowsOf: Readonly<Record<'all' | 'get' | 'run', (answer: unknown) => number>> = {
  // A look-up that finds nothing has still read a row.
  all: (answer) => Math.max(1, (answer as readonly unknown[]).length),
  get: () => 1,
  run: () => 1,
};

/**
 * Adds the work requested of SQLite and JSON to `amounts`: rows, and characters as parsed bytes. Affects the whole
 * process until the returned function is called.
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
