import type { Steps } from '../work/loops.ts';

const newline = 10;
/** Bytes between two stops. */
const stretch = 64 * 1024;

/** Returns the number of lines; the last one may lack its line end. */
export function lineCount(content: Uint8Array): number {
  let count = content.length > 0 && content.at(-1) !== newline ? 1 : 0;
  for (let at = 0; at < content.length; at++) if (content[at] === newline) count++;
  return count;
}

/** Returns the offset behind the line that starts at `at`. Lines are short: calling native code would take longer. */
function lineEnd(content: Uint8Array, at: number): number {
  let end = at;
  while (end < content.length && content[end] !== newline) end++;
  return Math.min(end + 1, content.length);
}

/** The lines of a content, each with its line end. */
export interface Lines {
  readonly content: Uint8Array;
  readonly count: number;
  /** Offset of each line, and the length of the content behind the last one. */
  readonly starts: Uint32Array;
  /** By line: the number of its class. Lines of two contents are equal if their classes are. None if unknown. */
  readonly classes: Int32Array;
}

/** Two contents with the classes of their lines. */
export interface LinePair {
  readonly old: Lines;
  readonly new: Lines;
  readonly classCount: number;
}

/** Splits a content into lines without classes. */
export function unclassifiedLines(content: Uint8Array): Lines {
  const count = lineCount(content);
  const starts = new Uint32Array(count + 1);
  for (let i = 1; i < count; i++) starts[i] = lineEnd(content, starts[i - 1] as number);
  starts[count] = content.length;
  return { content, count, starts, classes: new Int32Array(0) };
}

/** Splits two contents into lines, and finds out which are equal. Steps report bytes and looks into a table. */
export function* linePair(from: Uint8Array, to: Uint8Array): Steps<LinePair> {
  const { files, classCount } = yield* lineTable([from, to]);
  return { old: files[0] as Lines, new: files[1] as Lines, classCount };
}

/** Splits contents into lines, with common classes. Steps report the same. */
export function* lineTable(
  contents: readonly Uint8Array[],
): Steps<{ readonly files: readonly Lines[]; readonly classCount: number }> {
  const classes = new LineClasses();
  const files: Lines[] = [];
  for (const content of contents) files.push(yield* linesOf(content, classes));
  return { files, classCount: classes.count };
}

function* linesOf(content: Uint8Array, classes: LineClasses): Steps<Lines> {
  const starts: number[] = [0];
  const found: number[] = [];
  for (let at = 0; at < content.length;) {
    const from = at;
    at = classes.addStretch(content, from, starts, found);
    yield at - from + classes.takeProbes();
  }
  return { content, count: found.length, starts: new Uint32Array(starts), classes: new Int32Array(found) };
}

/** Bytes that are hashed in one step. */
const word = 4;

let keysOfProcess: Int32Array | undefined;

/** Returns a random number for each byte of a word. With a known hash, a file could have many lines that share a slot. */
function hashKeys(): Int32Array {
  return (keysOfProcess ??= Int32Array.from({ length: word * 256 }, () => Math.floor(Math.random() * 2 ** 32)));
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
  #probes = 0;
  readonly #keys = hashKeys();

  /** Returns the number of slots that were looked at since the last call. */
  takeProbes(): number {
    const probes = this.#probes;
    this.#probes = 0;
    return probes;
  }

  /** Adds the ends and the classes of lines, for a stretch or to the end of the content. Returns where it ends. */
  addStretch(content: Uint8Array, from: number, ends: number[], found: number[]): number {
    const keys = this.#keys;
    let at = from;
    while (at < content.length && at - from < stretch) {
      const start = at;
      // The shift keeps low bits from depending on low bits alone.
      let hash = 0;
      for (; at <= content.length - word; at += word) {
        const a = content[at] as number;
        const b = content[at + 1] as number;
        const c = content[at + 2] as number;
        const d = content[at + 3] as number;
        if (a === newline || b === newline || c === newline || d === newline) break;
        hash = Math.imul(
          hash ^
            (keys[a] as number) ^
            (keys[256 + b] as number) ^
            (keys[512 + c] as number) ^
            (keys[768 + d] as number),
          0x01000193,
        );
        hash ^= hash >>> 15;
      }
      for (let isEnd = false; !isEnd && at < content.length; at++) {
        const byte = content[at] as number;
        isEnd = byte === newline;
        hash = Math.imul(hash ^ (keys[byte] as number), 0x01000193);
        hash ^= hash >>> 15;
      }
      ends.push(at);
      found.push(this.#classOf(content, start, at, hash));
    }
    return at;
  }

  #classOf(content: Uint8Array, start: number, end: number, hash: number): number {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      this.#probes++;
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
