import { concatenate } from '../bytes/concatenate.ts';
import type { Hold } from '../memory/holding.ts';
import { zeroObjectId } from '../object/object-id.ts';
import { isOtherType } from '../object/tree.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import type { Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { percentOf, type Change } from './change.ts';
import { readContents } from './compare-contents.ts';
import { writeHunks } from './hunks.ts';
import { diffLines } from './line-diff.ts';
import type { ObjectSource } from './object-source.ts';
import { PatchBuffer } from './patch-buffer.ts';
import { quotePath } from './quote-path.ts';

/** Bytes of a line of a binary patch. */
const binaryLine = 52;
const deflateLevel = 6;

/**
 * Yields the patch of changes as `git diff --full-index --binary` writes it, with binary files as literals. `git apply`
 * accepts it on the old tree, and makes the new one. Read nothing else through `objects` until it ends.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function* writePatch(
  objects: ObjectSource,
  changes: readonly Change[],
  codec: Codec,
  hold: Hold,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new PatchBuffer();
  for (const change of changes.flatMap(split)) yield* filePatch(objects, change, codec, hold, output);
  if (!output.isEmpty) yield output.take();
}

/** Git writes another type at a path as a deleted and an added file. */
function split(change: Change): readonly Change[] {
  const { old, new: to } = change;
  if (old === undefined || to === undefined || !isOtherType(old.mode, to.mode)) return [change];
  return [
    { old, new: undefined },
    { old: undefined, new: to },
  ];
}

async function* filePatch(
  objects: ObjectSource,
  change: Change,
  codec: Codec,
  hold: Hold,
  output: PatchBuffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { work } = objects;
  output.addText(headOf(change));
  if (output.isFull) yield output.take();
  if (change.old?.oid === change.new?.oid) return;
  const { old, new: to, isBinary, release } = await readContents(objects, change, hold);
  try {
    if (isBinary) {
      output.addText('GIT binary patch\n');
      yield* binaryPatch(work, to, codec, output);
      yield* binaryPatch(work, old, codec, output);
      return;
    }
    const lines = await diffLines(old, to, work);
    if (lines.changes.length > 0) output.addText(labelsOf(change));
    for (const bytes of writeHunks(lines, output)) {
      if (work.spend(cost.compared, bytes)) await work.yield();
      if (output.isFull) yield output.take();
    }
  } finally {
    release();
  }
}

/** Returns the lines before the hunks, as a byte text. */
function headOf({ old, new: to, score }: Change): string {
  const lines = [`diff --git ${name('a/', old ?? to)} ${name('b/', to ?? old)}`];
  const mode = (value = 0): string => value.toString(8).padStart(6, '0');
  if (old === undefined) lines.push(`new file mode ${mode(to?.mode)}`);
  else if (to === undefined) lines.push(`deleted file mode ${mode(old.mode)}`);
  else if (old.mode !== to.mode) lines.push(`old mode ${mode(old.mode)}`, `new mode ${mode(to.mode)}`);
  if (score !== undefined) {
    lines.push(`similarity index ${percentOf(score)}%`, `rename from ${name('', old)}`, `rename to ${name('', to)}`);
  }
  if (old?.oid !== to?.oid) {
    const modes = old?.mode === to?.mode ? ` ${mode(to?.mode)}` : '';
    lines.push(`index ${old?.oid ?? zeroObjectId}..${to?.oid ?? zeroObjectId}${modes}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the two lines that begin the hunks. A tab ends a name with a space, so that no time is read from it. */
function labelsOf({ old, new: to }: Change): string {
  const label = (prefix: string, version: Change['old']): string => {
    const text = version === undefined ? '/dev/null' : name(prefix, version);
    return text.includes(' ') ? `${text}\t` : text;
  };
  return `--- ${label('a/', old)}\n+++ ${label('b/', to)}\n`;
}

function name(prefix: string, version: Change['old']): string {
  return quotePath(prefix + (version?.path ?? ''));
}

async function* binaryPatch(
  work: Work,
  content: Uint8Array,
  codec: Codec,
  output: PatchBuffer,
): AsyncGenerator<Uint8Array, void, undefined> {
  output.addText(`literal ${content.length}\n`);
  let rest: Uint8Array = new Uint8Array(0);
  for await (const part of deflateInTurns(codec, content, deflateLevel, work)) {
    const bytes = concatenate(rest.length === 0 ? [part] : [rest, part]);
    const whole = bytes.length - (bytes.length % binaryLine);
    for (let at = 0; at < whole; at += binaryLine) output.addBinaryLine(bytes, at, at + binaryLine);
    rest = bytes.subarray(whole);
    if (output.isFull) yield output.take();
  }
  if (rest.length > 0) output.addBinaryLine(rest, 0, rest.length);
  output.addText('\n');
}
