import type { Steps } from '../work/loops.ts';
import type { LineChange, LineDiff } from './line-diff.ts';
import type { Lines } from './line-table.ts';
import type { PatchBuffer } from './patch-buffer.ts';

/** Unchanged lines before and behind a change. */
const context = 3;
/** Maximum bytes of the line that a hunk's header repeats. */
const headingMax = 80;
/** Bytes between two stops. */
const piece = 16 * 1024;

const [newline, dollar, underscore] = [10, 36, 95];
const encoder = new TextEncoder();
const noLineEnd = encoder.encode('\n\\ No newline at end of file\n');
const signs = { same: 32, added: 43, deleted: 45 };

/** Writes the hunks of a patch like `git diff`. Steps report bytes. */
export function* writeHunks({ old, new: to, changes }: LineDiff, output: PatchBuffer): Steps<void> {
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
    output.addText(`@@ ${ranges} @@${heading.length > 0 ? ' ' : ''}`);
    output.add(heading);
    output.addText('\n');
    let at = start;
    for (let i = from; i < end; i++) {
      const change = changes[i] as LineChange;
      yield* writeLines(signs.same, old, at, change.oldFrom, output);
      yield* writeLines(signs.deleted, old, change.oldFrom, change.oldTo, output);
      yield* writeLines(signs.added, to, change.newFrom, change.newTo, output);
      at = change.oldTo;
    }
    yield* writeLines(signs.same, old, at, last.oldTo + behind, output);
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

function* writeLines(
  sign: number,
  { content, starts }: Lines,
  from: number,
  to: number,
  output: PatchBuffer,
): Steps<void> {
  let passed = 0;
  for (let i = from; i < to; i++) {
    const [start, end] = [starts[i] as number, starts[i + 1] as number];
    output.addByte(sign);
    for (let at = start; at < end; at += piece) {
      const most = Math.min(at + piece, end);
      output.add(content, at, most);
      passed += 16 + most - at;
      if (passed < piece) continue;
      yield passed;
      passed = 0;
    }
    if (content[end - 1] !== newline) output.add(noLineEnd);
  }
  if (passed > 0) yield passed;
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
