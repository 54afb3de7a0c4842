/** Candidates that are kept for each target, like Git. */
const slotCount = 4;

/** A pair of a source and a target, by their numbers. */
export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly score: number;
  readonly hasSameName: boolean;
}

/** Compares how good pairs are: negative if `a` is better. */
function compare(a: Pair | undefined, b: Pair | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return b.score - a.score || Number(b.hasSameName) - Number(a.hasSameName);
}

/**
 * The best sources of each target. Places of equally good pairs decide which of them wins, so this keeps the order of
 * Git's slots: a better pair replaces the first of the worst.
 */
export class BestSources {
  readonly #kept: Pair[] = [];
  #slots: (Pair | undefined)[] = [];
  #to = 0;

  /** Begins with another target. */
  begin(to: number): void {
    this.#flush();
    this.#to = to;
    this.#slots = Array.from({ length: slotCount }, () => undefined);
  }

  offer(from: number, score: number, hasSameName: boolean): void {
    const slots = this.#slots;
    let worst = 0;
    for (let i = 1; i < slotCount; i++) if (compare(slots[i], slots[worst]) > 0) worst = i;
    const held = slots[worst];
    if (held !== undefined && (held.score > score || (held.score === score && held.hasSameName >= hasSameName))) return;
    slots[worst] = { from, to: this.#to, score, hasSameName };
  }

  /** All kept pairs, the best first. */
  sorted(): readonly Pair[] {
    this.#flush();
    return this.#kept.sort(compare);
  }

  #flush(): void {
    for (const pair of this.#slots) if (pair !== undefined) this.#kept.push(pair);
    this.#slots = [];
  }
}
