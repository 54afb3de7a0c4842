import { referenceDelta } from '../entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { inBlocks } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { WaitingBases } from './waiting-bases.ts';

/** Which deltas lean on which object: lists of ordinals, linked through two tables. */
export class DeltaFamilies {
  /** By ordinal: the first delta on this object; -1: none. */
  readonly firstChild: Int32Array;
  /** By ordinal: the next delta on the same object; -1: none. */
  readonly nextSibling: Int32Array;
  /** Deltas that name their base by its id. */
  readonly references: number;
  readonly #tables: EntryTables;
  readonly #waiting: WaitingBases;

  private constructor(tables: EntryTables, references: number) {
    this.#tables = tables;
    this.references = references;
    const list = (): Int32Array => new Int32Array(tables.allocate(4 * (tables.count + references))).fill(-1);
    this.nextSibling = list();
    this.#waiting = new WaitingBases(tables, this.nextSibling, references);
    this.firstChild = list();
  }

  /** Takes the entries after the first pass; leaves room in the tables for each base that may have to be appended. */
  static async of(tables: EntryTables, work: Work): Promise<DeltaFamilies> {
    const { count, kinds } = tables;
    let references = 0;
    await inBlocks(work, count, (from, to) => {
      for (let i = from; i < to; i++) if (kinds[i] === referenceDelta) references++;
    });
    const families = new DeltaFamilies(tables, references);
    const waiting = families.#waiting;
    if (references > 0) {
      await fromTheLast(work, count, (i) => {
        if (kinds[i] === referenceDelta) waiting.add(i);
      });
    }
    // One more place for the offset where the last entry ends.
    tables.reserve(count + waiting.groups + 1);
    await families.#link(work);
    return families;
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

  /** True if deltas remain whose base is unknown. */
  get incomplete(): boolean {
    return this.#waiting.groups > 0;
  }

  /** Tests if a delta is the first of those that reference a base by the same unknown id. */
  isFirstWaiting(ordinal: number): boolean {
    return this.#tables.kinds[ordinal] === referenceDelta && this.#waiting.isFirst(ordinal);
  }

  /**
   * Lists children in the order of their offsets, but the one with the most descendants last: a base can be let go
   * when its last child is made, so that few bases are held at once, however deep the chains.
   */
  async #link(work: Work): Promise<void> {
    const { count, bases } = this.#tables;
    const { firstChild, nextSibling } = this;
    const descendants = new Uint32Array(count);
    const largest = new Int32Array(count).fill(-1);
    // A base by offset stands before its deltas, so descendants are counted before they are needed.
    await fromTheLast(work, count, (i) => {
      const base = bases[i] as number;
      if (base < 0) return;
      descendants[base] = (descendants[base] as number) + (descendants[i] as number) + 1;
      const rival = largest[base] as number;
      if (rival < 0 || (descendants[i] as number) >= (descendants[rival] as number)) largest[base] = i;
    });
    firstChild.set(largest);
    await fromTheLast(work, count, (i) => {
      const base = bases[i] as number;
      if (base < 0 || largest[base] === i) return;
      nextSibling[i] = firstChild[base] as number;
      firstChild[base] = i;
    });
  }
}

/** Visits all entries, the last one first. */
function fromTheLast(work: Work, count: number, visit: (ordinal: number) => void): Promise<void> {
  return inBlocks(work, count, (from, to) => {
    for (let i = count - 1 - from; i >= count - to; i--) visit(i);
  });
}
