import type { Invocation } from '../command/command.ts';
import type { Io } from '../io.ts';

/** Prints a result: for programs as one line of JSON, else as `text` makes it. */
export function printResult(invocation: Invocation, io: Io, result: unknown, text: () => string): void {
  io.out(invocation.flag('json') ? `${JSON.stringify(result)}\n` : text());
}

/** Rows under a head, in columns; `none` if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `${none}\n`;
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Names and values, one pair a line; `null` shows as `-`. */
export function fields(pairs: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`).join('');
}

/** Text of a service for a terminal: no control characters, which could rewrite what stands there. */
export function shown(value: unknown): string {
  return value === null || value === undefined ? '-' : String(value).replace(/[\x00-\x1f\x7f-\x9f]/g, '\uFFFD');
}
