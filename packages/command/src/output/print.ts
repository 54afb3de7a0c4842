import type { Io } from './io.ts';
import { columnsOf } from './columns-of.ts';
import { screenOf, type Screen } from './style.ts';

/** Prints a result: as one line of JSON with `--json`, else with `text`. */
export function printResult(
  invocation: { flag(name: string): boolean },
  io: Io,
  result: unknown,
  text: (screen: Screen) => string,
): void {
  io.out(invocation.flag('json') ? `${JSON.stringify(result)}\n` : text(screenOf(io)));
}

/**
 * Formats rows in columns below a head; returns `none` if there are no rows. On a narrow terminal each row becomes a
 * block with one line per cell, so that no cell is cut or wrapped.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
  { style, columns = Infinity }: Screen,
): string {
  if (rows.length === 0) return `${none}\n`;
  const all = [head, ...rows];
  const widths = head.map((_, column) => widest(all.map((row) => row[column] ?? '')));
  if (widths.reduce((sum, width) => sum + width + 2, -2) > columns) {
    const width = widest(head);
    const block = (row: readonly string[]): string =>
      head.map((name, column) => `${style('bold', padded(name, width))}  ${row[column] ?? ''}\n`).join('');
    return rows.map(block).join('\n');
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return all.map((row, index) => `${index === 0 ? style('bold', line(row)) : line(row)}\n`).join('');
}

/** Formats names and values, one pair per line; `null` shows as `-`. */
export function fields(pairs: readonly (readonly [string, unknown])[]): string {
  const width = widest(pairs.map(([name]) => name));
  return pairs.map(([name, value]) => `${padded(name, width)}  ${shown(value)}\n`).join('');
}

/** Avoids `Math.max(...)`: a list may be longer than the maximum number of arguments. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Makes a text of the service safe for a terminal. Removes control characters, and characters that change the direction
 * of text: these could disguise other output.
 */
export function shown(value: unknown): string {
  return value === null || value === undefined
    ? '-'
    : String(value).replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\uFFFD');
}
