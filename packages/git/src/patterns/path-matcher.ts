import { entriesAStop, type Steps } from '../work/loops.ts';
import type { PathPattern } from './path-pattern.ts';

const slash = 0x2f;
/** Up to so many words of steps, finding out which of them take a byte takes a moment. */
const quickWords = 64;
/** Bytes a step takes, of three that a bracket takes. */
const stepMemory = 150;

/**
 * Matches paths with all patterns of a file at once, one name at a time. The time is the name length times the total
 * pattern length / 32, for any patterns. A set of steps has one bit per step of all patterns.
 */
export class PathMatcher {
  readonly #words: number;
  readonly #patterns: readonly PathPattern[];
  /** By bit: the number of the pattern that ends at that step. */
  readonly #patternAt: ReadonlyMap<number, number>;
  /** By byte: the steps that match it. Made at the first use. */
  readonly #taking: (Uint32Array | undefined)[] = [];
  /** Number of those that were made. */
  #made = 0;
  /** Bytes that take less than a stop, even if each is used for the first time. */
  readonly #stretch: number;
  readonly #nameLoops: Uint32Array;
  readonly #pathLoops: Uint32Array;
  readonly #folders: Uint32Array;
  readonly #fileEnds: Uint32Array;
  readonly #folderEnds: Uint32Array;
  /** First steps of the patterns that match names. */
  readonly #nameStarts: Uint32Array;
  readonly #scratch: [Uint32Array, Uint32Array];
  /** The steps before the entries of the folder that the patterns are relative to. */
  readonly start: Uint32Array;

  constructor(patterns: readonly PathPattern[]) {
    this.#patterns = patterns;
    this.#words = Math.ceil(patterns.reduce((sum, { steps }) => sum + steps.length, 0) / 32);
    const bits = (): Uint32Array => new Uint32Array(this.#words);
    [this.#nameLoops, this.#pathLoops, this.#folders, this.#fileEnds, this.#folderEnds] = [
      bits(),
      bits(),
      bits(),
      bits(),
      bits(),
    ];
    this.#scratch = [bits(), bits()];
    this.#stretch = Math.max(1, Math.floor(entriesAStop / (32 * this.#words)));
    const [nameStarts, starts] = [bits(), bits()];
    const patternAt = new Map<number, number>();
    this.#eachStep((pattern, number, bit, patternNumber) => {
      const step = pattern.steps[number] as PathPattern['steps'][number];
      if (number === 0) add(starts, bit);
      if (number === 0 && !pattern.ofPath) add(nameStarts, bit);
      if (step.after !== 'nothing') add(this.#nameLoops, bit);
      if (step.after === 'path') add(this.#pathLoops, bit);
      if (step.takes === 'folders') add(this.#folders, bit);
      if (step.takes !== 'end') return;
      patternAt.set(bit, patternNumber);
      add(this.#folderEnds, bit);
      if (!pattern.foldersOnly) add(this.#fileEnds, bit);
    });
    this.#patternAt = patternAt;
    this.#nameStarts = nameStarts;
    this.#leaveOut(starts);
    this.start = starts;
  }

  /** Number of steps for one byte of a name. */
  get stepsAByte(): number {
    return this.#words;
  }

  /** Bytes it takes at most: its steps, with tables of bytes where they have brackets, and which of them take which byte. */
  get memory(): number {
    return (256 * 4 + 32 * stepMemory) * this.#words;
  }

  /** True if a name of this length in bytes is matched quickly, so that no yield is needed. */
  isQuick(bytes: number): boolean {
    return this.#words <= quickWords && this.#words * bytes <= entriesAStop;
  }

  /** Returns the steps behind `name[start..end)` in a folder that has `from` before its entries. Valid until the next run. */
  *run(from: Uint32Array, name: Uint8Array, start: number, end: number): Steps<Uint32Array> {
    let now = from;
    for (let at = start; at < end; at += this.#stretch) {
      const to = Math.min(at + this.#stretch, end);
      const made = this.#made;
      now = this.#pass(now, name, at, to);
      yield this.#words * (4 + to - at + 31 * (this.#made - made));
    }
    return now;
  }

  /** Not in a generator, where the same loop takes twice as long. */
  #pass(from: Uint32Array, name: Uint8Array, start: number, end: number): Uint32Array {
    const [first, second] = this.#scratch;
    let now = from;
    for (let at = start; at < end; at++) {
      now = this.#take(now, name[at] as number, now === first ? second : first);
    }
    return now;
  }

  /** Returns the steps before the entries of a folder, from those behind its name. */
  inside(steps: Uint32Array): Uint32Array {
    const inside = this.#take(steps, slash, new Uint32Array(this.#words));
    for (let i = 0; i < this.#words; i++) inside[i] = (inside[i] as number) | (this.#nameStarts[i] as number);
    return inside;
  }

  /** Yields the numbers of the patterns that match, the last one first, from the steps behind a name. */
  *matches(steps: Uint32Array, isFolder: boolean): Generator<number, void, undefined> {
    const ends = isFolder ? this.#folderEnds : this.#fileEnds;
    for (let i = this.#words - 1; i >= 0; i--) {
      for (let through = (steps[i] as number) & (ends[i] as number); through !== 0;) {
        const bit = 31 - Math.clz32(through);
        yield this.#patternAt.get(32 * i + bit) as number;
        through &= ~(1 << bit);
      }
    }
  }

  /** Does the same for an empty name, as the folder has that the patterns are relative to. */
  matchesOfStart(): Generator<number, void, undefined> {
    return this.matches(this.#nameStarts, true);
  }

  #take(now: Uint32Array, byte: number, into: Uint32Array): Uint32Array {
    const taking = (this.#taking[byte] ??= this.#stepsTaking(byte));
    const loops = byte === slash ? this.#pathLoops : this.#nameLoops;
    let carry = 0;
    for (let i = 0; i < into.length; i++) {
      const steps = now[i] as number;
      const taken = steps & (taking[i] as number);
      into[i] = (taken << 1) | carry | (steps & (loops[i] as number));
      carry = taken >>> 31;
    }
    return this.#leaveOut(into);
  }

  /** Adds the steps that come after folders that can be left out, and after the step that follows them. */
  #leaveOut(steps: Uint32Array): Uint32Array {
    const folders = this.#folders;
    let carry = 0;
    for (let i = 0; i < steps.length; i++) {
      const left = (steps[i] as number) & (folders[i] as number);
      if (left === 0 && carry === 0) continue;
      steps[i] = (steps[i] as number) | (left << 1) | (left << 2) | carry;
      carry = (left >>> 31) | (left >>> 30);
    }
    return steps;
  }

  #stepsTaking(byte: number): Uint32Array {
    this.#made++;
    const taking = new Uint32Array(this.#words);
    this.#eachStep(({ steps }, number, bit) => {
      const takes = steps[number]?.takes;
      const isTaken =
        takes === byte || (takes === 'any' && byte !== slash) || (takes instanceof Uint8Array && takes[byte] === 1);
      if (isTaken) add(taking, bit);
    });
    return taking;
  }

  #eachStep(visit: (pattern: PathPattern, number: number, bit: number, patternNumber: number) => void): void {
    let bit = 0;
    for (const [i, pattern] of this.#patterns.entries())
      pattern.steps.forEach((_, number) => visit(pattern, number, bit++, i));
  }
}

function add(bits: Uint32Array, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31));
}
