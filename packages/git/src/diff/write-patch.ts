import { encodeBase85 } from '../bytes/base85.ts';
import { fromByteText } from '../bytes/byte-text.ts';
import { concatenate } from '../bytes/concatenate.ts';
import type { Hold } from '../memory/holding.ts';
import { zeroObjectId } from '../object/object-id.ts';
import { isOtherType } from '../object/tree.ts';
import { deflatePiece, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { percentOf, type Change } from './change.ts';
import { readContents } from './compare-contents.ts';
import { writeHunks } from './hunks.ts';
import { diffLines } from './line-diff.ts';
import type { ObjectSource } from './object-source.ts';
import { quotePath } from './quote-path.ts';

/** Minimum bytes of a piece of a patch, except the last one. */
const pieceSize = 64 * 1024;
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
  const pieces = new Pieces();
  for (const change of changes.flatMap(split)) yield* filePatch(objects, change, codec, hold, pieces);
  if (pieces.size > 0) yield pieces.take();
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
  pieces: Pieces,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { work } = objects;
  pieces.add(fromByteText(headOf(change)));
  if (change.old?.oid === change.new?.oid) return;
  const { old, new: to, isBinary, release } = await readContents(objects, change, hold);
  try {
    if (isBinary) {
      pieces.add(fromByteText('GIT binary patch\n'));
      yield* binaryPatch(work, to, codec, pieces);
      yield* binaryPatch(work, old, codec, pieces);
      return;
    }
    const lines = await diffLines(old, to, work);
    if (lines.changes.length > 0) pieces.add(fromByteText(labelsOf(change)));
    for (const bytes of writeHunks(lines)) {
      if (work.spend(cost.compared, 16 + bytes.length)) await work.yield();
      pieces.add(bytes);
      if (pieces.size >= pieceSize) yield pieces.take();
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
  pieces: Pieces,
): AsyncGenerator<Uint8Array, void, undefined> {
  pieces.add(fromByteText(`literal ${content.length}\n`));
  let rest: Uint8Array = new Uint8Array(0);
  for (const part of codec.deflateParts(content, deflateLevel)) {
    const bytes = concatenate([rest, part]);
    const whole = bytes.length - (bytes.length % binaryLine);
    for (let at = 0; at < whole; at += binaryLine) pieces.add(binaryText(bytes.subarray(at, at + binaryLine)));
    rest = bytes.slice(whole);
    if (work.spend(cost.deflated, Math.min(content.length, deflatePiece))) await work.yield();
    if (pieces.size >= pieceSize) yield pieces.take();
  }
  if (rest.length > 0) pieces.add(binaryText(rest));
  pieces.add(fromByteText('\n'));
}

/** Returns one line of a binary patch: a letter for its length, then its bytes. */
function binaryText(bytes: Uint8Array): Uint8Array {
  const code = bytes.length <= 26 ? 64 + bytes.length : 96 + bytes.length - 26;
  return fromByteText(`${String.fromCharCode(code)}${encodeBase85(bytes)}\n`);
}

/** Collects small pieces in one buffer. */
class Pieces {
  size = 0;
  #buffer = new Uint8Array(2 * pieceSize);

  /** Copies the bytes, since they may be part of a buffer that is used again. */
  add(bytes: Uint8Array): void {
    const end = this.size + bytes.length;
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.size));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.size);
    this.size = end;
  }

  take(): Uint8Array {
    const taken = this.#buffer.slice(0, this.size);
    this.size = 0;
    return taken;
  }
}
