import type { Steps } from '../work/loops.ts';

const newline = 10;
/** Bytes between two stops. */
const stretch = 64 * 1024;

/** Returns the number of lines; the last one may lack its line end. */
export function lineCount(content: Uint8Array): number {
  let count = content.length > 0 && content.at(-1) !== newline ? 1 : 0;
  for (let at = content.indexOf(newline); at >= 0; at = content.indexOf(newline, at + 1)) count++;
  return count;
}

/** The lines of a content, each with its line end. */
export interface Lines {
  readonly content: Uint8Array;
  readonly count: number;
  /** Offset of each line, and the length of the content behind the last one. */
  readonly starts: Uint32Array;
  /** By line: the number of its class. Lines of two contents are equal if their classes are. */
  readonly classes: Int32Array;
}

/** Two contents with the classes of their lines. */
export interface LinePair {
  readonly old: Lines;
  readonly new: Lines;
  readonly classCount: number;
}

/** Splits two contents into lines, and finds out which are equal. Steps report bytes. */
export function* linePair(from: Uint8Array, to: Uint8Array): Steps<LinePair> {
  const { files, classCount } = yield* lineTable([from, to]);
  return { old: files[0] as Lines, new: files[1] as Lines, classCount };
}

/** Splits contents into lines, with common classes. Steps report bytes. */
export function* lineTable(
  contents: readonly Uint8Array[],
): Steps<{ readonly files: readonly Lines[]; readonly classCount: number }> {
  const classes = new LineClasses();
  const files: Lines[] = [];
  for (const content of contents) files.push(yield* linesOf(content, classes));
  return { files, classCount: classes.count };
}

function* linesOf(content: Uint8Array, classes: LineClasses): Steps<Lines> {
  const count = lineCount(content);
  const starts = new Uint32Array(count + 1);
  const found = new Int32Array(count);
  let passed = 0;
  for (let i = 0, at = 0; i < count; i++) {
    let hash = 0x811c9dc5;
    let end = at;
    while (end < content.length) {
      const byte = content[end++] as number;
      hash = Math.imul(hash ^ byte, 0x01000193);
      if (byte === newline) break;
    }
    starts[i] = at;
    found[i] = classes.classOf(content, at, end, hash ^ (hash >>> 15));
    passed += end - at;
    at = end;
    if (passed < stretch) continue;
    yield passed;
    passed = 0;
  }
  starts[count] = content.length;
  yield passed;
  return { content, count, starts, classes: found };
}

/** Numbers the different lines in the order of their first occurrence. */
class LineClasses {
  count = 0;
  /** By class: a content that has the line, and where. */
  readonly #contents: Uint8Array[] = [];
  readonly #places: number[] = [];
  readonly #hashes: number[] = [];
  /** Classes plus one; 0: free. At most half full. */
  #slots = new Int32Array(1024);

  classOf(content: Uint8Array, start: number, end: number, hash: number): number {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const found = (this.#slots[slot] as number) - 1;
      if (found < 0) return this.#add(slot, content, start, end, hash);
      if (this.#hashes[found] === hash && this.#isEqual(found, content, start, end)) return found;
    }
  }

  #isEqual(found: number, content: Uint8Array, start: number, end: number): boolean {
    const other = this.#contents[found] as Uint8Array;
    const from = this.#places[2 * found] as number;
    if ((this.#places[2 * found + 1] as number) - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (other[from + i] !== content[start + i]) return false;
    return true;
  }

  #add(slot: number, content: Uint8Array, start: number, end: number, hash: number): number {
    this.#contents.push(content);
    this.#places.push(start, end);
    this.#hashes.push(hash);
    this.#slots[slot] = ++this.count;
    if (2 * this.count > this.#slots.length) this.#grow();
    return this.count - 1;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const last = slots.length - 1;
    for (const [found, hash] of this.#hashes.entries()) {
      let slot = hash & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = found + 1;
    }
    this.#slots = slots;
  }
}
