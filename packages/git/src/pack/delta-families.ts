import { referenceDelta } from './entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { WaitingBases } from './waiting-bases.ts';

/** Which deltas lean on which object: lists of ordinals, linked through two tables. */
export class DeltaFamilies {
  /** By ordinal: the first delta on this object; -1: none. */
  readonly firstChild: Int32Array;
  /** By ordinal: the next delta on the same object; -1: none. */
  readonly nextSibling: Int32Array;
  readonly #tables: EntryTables;
  readonly #waiting: WaitingBases;

  /** Takes the entries after the first pass; leaves room in the tables for each base that may have to be appended. */
  constructor(tables: EntryTables) {
    this.#tables = tables;
    const { count } = tables;
    let references = 0;
    for (let i = 0; i < count; i++) if (tables.kinds[i] === referenceDelta) references++;
    this.nextSibling = new Int32Array(count + references).fill(-1);
    this.#waiting = new WaitingBases(tables, this.nextSibling, references);
    if (references > 0) {
      for (let i = count - 1; i >= 0; i--) if (tables.kinds[i] === referenceDelta) this.#waiting.add(i);
    }
    // One more place for the offset where the last entry ends.
    tables.reserve(count + this.#waiting.groups + 1);
    this.firstChild = new Int32Array(count + this.#waiting.groups).fill(-1);
    this.#link();
  }

  /**
   * The object of an ordinal is known: its children are now those, too, that name it by its id.
   *
   * @returns the first of all its children; -1: none.
   */
  adopt(ordinal: number): number {
    const first = this.#waiting.adopt(ordinal);
    if (first < 0) return this.firstChild[ordinal] as number;
    let last = first;
    for (let child = first; child >= 0; child = this.nextSibling[child] as number) {
      this.#tables.bases[child] = ordinal;
      last = child;
    }
    // Those by offset stay behind, since the largest family of them must be last.
    this.nextSibling[last] = this.firstChild[ordinal] as number;
    this.firstChild[ordinal] = first;
    return first;
  }

  /** Whether deltas remain whose base is not known. */
  get incomplete(): boolean {
    return this.#waiting.groups > 0;
  }

  /** Of each base that is not known, the first delta: the base's id stands in the delta's place in the table. */
  waiting(): Int32Array {
    return this.#waiting.remaining();
  }

  /**
   * Lists children in the order of their offsets, but the one with the most descendants last: a base can be let go
   * when its last child is made, so that few bases are held at once, however deep the chains.
   */
  #link(): void {
    const { count, bases } = this.#tables;
    const { firstChild, nextSibling } = this;
    const descendants = new Uint32Array(count);
    const largest = new Int32Array(count).fill(-1);
    // A base by offset stands before its deltas, so descendants are counted before they are needed.
    for (let i = count - 1; i >= 0; i--) {
      const base = bases[i] as number;
      if (base < 0) continue;
      descendants[base] = (descendants[base] as number) + (descendants[i] as number) + 1;
      const rival = largest[base] as number;
      if (rival < 0 || (descendants[i] as number) >= (descendants[rival] as number)) largest[base] = i;
    }
    for (let i = count - 1; i >= 0; i--) if ((largest[i] as number) >= 0) firstChild[i] = largest[i] as number;
    for (let i = count - 1; i >= 0; i--) {
      const base = bases[i] as number;
      if (base < 0 || largest[base] === i) continue;
      nextSibling[i] = firstChild[base] as number;
      firstChild[base] = i;
    }
  }
}
