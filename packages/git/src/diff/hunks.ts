import type { LineChange, LineDiff } from './line-diff.ts';
import type { Lines } from './line-table.ts';

/** Unchanged lines before and behind a change. */
const context = 3;
/** Maximum bytes of the line that a hunk's header repeats. */
const headingMax = 80;

const [newline, dollar, underscore] = [10, 36, 95];
const encoder = new TextEncoder();
const noLineEnd = encoder.encode('\n\\ No newline at end of file\n');
const signs = { same: encoder.encode(' '), added: encoder.encode('+'), deleted: encoder.encode('-') };

/** Yields the bytes of the hunks of a patch, in small pieces, like `git diff` writes them. */
export function* writeHunks({ old, new: to, changes }: LineDiff): Generator<Uint8Array, void, undefined> {
  let heading: Uint8Array = new Uint8Array(0);
  let searched = -1;
  for (let from = 0; from < changes.length;) {
    let end = from + 1;
    while (end < changes.length && gapBefore(changes, end) <= 2 * context) end++;
    const [first, last] = [changes[from] as LineChange, changes[end - 1] as LineChange];
    const start = Math.max(first.oldFrom - context, 0);
    const newStart = Math.max(first.newFrom - context, 0);
    const behind = Math.min(context, old.count - last.oldTo, to.count - last.newTo);
    heading = headingBefore(old, start - 1, searched) ?? heading;
    searched = start - 1;
    const ranges = `-${range(start, last.oldTo + behind)} +${range(newStart, last.newTo + behind)}`;
    yield encoder.encode(`@@ ${ranges} @@${heading.length > 0 ? ' ' : ''}`);
    if (heading.length > 0) yield heading;
    yield encoder.encode('\n');
    let at = start;
    for (const change of changes.slice(from, end)) {
      yield* writeLines(signs.same, old, at, change.oldFrom);
      yield* writeLines(signs.deleted, old, change.oldFrom, change.oldTo);
      yield* writeLines(signs.added, to, change.newFrom, change.newTo);
      at = change.oldTo;
    }
    yield* writeLines(signs.same, old, at, last.oldTo + behind);
    from = end;
  }
}

function gapBefore(changes: readonly LineChange[], at: number): number {
  return (changes[at] as LineChange).oldFrom - (changes[at - 1] as LineChange).oldTo;
}

/** An empty range names the line before it. */
function range(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function* writeLines(sign: Uint8Array, { content, starts }: Lines, from: number, to: number): Generator<Uint8Array> {
  for (let i = from; i < to; i++) {
    const line = content.subarray(starts[i], starts[i + 1]);
    yield sign;
    yield line;
    if (line.at(-1) !== newline) yield noLineEnd;
  }
}

/** Returns the nearest line from `from` back to before `until` that begins like a name, such as a function's. */
function headingBefore({ content, starts }: Lines, from: number, until: number): Uint8Array | undefined {
  for (let i = from; i > until && i >= 0; i--) {
    const start = starts[i] as number;
    const byte = content[start] as number;
    const isLetter = (byte | 32) >= 97 && (byte | 32) <= 122;
    if (!isLetter && byte !== underscore && byte !== dollar) continue;
    let end = Math.min(starts[i + 1] as number, start + headingMax);
    while (end > start && isSpace(content[end - 1] as number)) end--;
    return content.subarray(start, end);
  }
  return undefined;
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}
