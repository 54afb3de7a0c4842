export interface DiffLine {
  /** `-`: only expected; `+`: only seen; a space: both. */
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Lines of each side that are compared in full. Its square is time and memory. */
const comparedMax = 400;

/** Compares two texts by lines, with as many common lines as possible. */
export function lineDiff(expected: string, seen: string): readonly DiffLine[] {
  const [a, b] = [expected.split('\n'), seen.split('\n')];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

function changes(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const all = (sign: '-' | '+', lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign, text }));
  if (a.length > comparedMax || b.length > comparedMax) return [...all('-', a), ...all('+', b)];
  // common[i][j] is the number of common lines of a from i on and b from j on.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      (common[i] as Uint16Array)[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] as string });
      i += 1;
      j += 1;
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: a[i++] as string });
    } else lines.push({ sign: '+', text: b[j++] as string });
  }
  return lines;
}
