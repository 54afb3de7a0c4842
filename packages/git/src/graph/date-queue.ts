/** Nodes by commit date, newest first; of equal dates the one that was added first comes first, as in Git. */
export class DateQueue {
  readonly #dates: (node: number) => number;
  /** A binary heap. */
  readonly #entries: Entry[] = [];
  #added = 0;

  constructor(dates: (node: number) => number) {
    this.#dates = dates;
  }

  get size(): number {
    return this.#entries.length;
  }

  add(node: number): void {
    const entries = this.#entries;
    const entry = { node, date: this.#dates(node), order: this.#added++ };
    let at = entries.length;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const other = entries[above] as Entry;
      if (goesFirst(other, entry)) break;
      entries[at] = other;
      at = above;
    }
    entries[at] = entry;
  }

  /** Removes the first node; undefined if the queue is empty. */
  take(): number | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (first === undefined || last === undefined) return undefined;
    if (entries.length > 0) {
      let at = 0;
      for (let below = 1; below < entries.length; below = 2 * at + 1) {
        const right = below + 1;
        const child =
          right < entries.length && goesFirst(entries[right] as Entry, entries[below] as Entry) ? right : below;
        if (goesFirst(last, entries[child] as Entry)) break;
        entries[at] = entries[child] as Entry;
        at = child;
      }
      entries[at] = last;
    }
    return first.node;
  }

  /** The nodes in the order in which they would be taken. */
  nodes(): number[] {
    return [...this.#entries].sort((a, b) => (goesFirst(a, b) ? -1 : 1)).map(({ node }) => node);
  }
}

interface Entry {
  readonly node: number;
  readonly date: number;
  readonly order: number;
}

function goesFirst(a: Entry, b: Entry): boolean {
  return a.date > b.date || (a.date === b.date && a.order < b.order);
}
