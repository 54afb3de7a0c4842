/** Values of things on the server by key, such as `ref git-0 refs/heads/main`. A missing thing has no key. */
export type Facts = ReadonlyMap<string, string>;

/** The values after an operation; undefined for a thing that it removes. */
export type Changes = ReadonlyMap<string, string | undefined>;

/** Further facts in the reply to an operation, or `refused`. */
export type Outcome = Facts | 'refused';

/**
 * The numbers of operations of one kind that succeeded, were refused, or had no reply, and how many of the last took
 * effect.
 */
export interface Count {
  acknowledged: number;
  refused: number;
  unknown: number;
  unknownButDone: number;
}

interface OpenChange {
  readonly kind: string;
  readonly changes: Changes;
  readonly begun: number;
}

/** A change that took effect between two moments, which are numbers in the order of time. */
export interface DoneChange {
  readonly changes: Changes;
  readonly begun: number;
  readonly ended: number;
}

/** Records what the clients of a server know to be true, and what is uncertain because there was no reply. */
export class Ledger {
  readonly counts: Map<string, Count> = new Map();
  /** The changes that took effect; those of one thing in their order. */
  readonly done: DoneChange[] = [];
  #known = new Map<string, string>();
  #open = new Set<OpenChange>();
  /** Key prefixes of things that the server names, one for each thing that may have been created. */
  #unnamed: string[] = [];
  #moment = 0;

  /** The number of acknowledged operations, of all kinds. */
  get acknowledged(): number {
    return this.total('acknowledged');
  }

  /** Returns the number of operations of all kinds with this outcome. */
  total(outcome: keyof Count): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count[outcome], 0);
  }

  get(key: string): string | undefined {
    return this.#known.get(key);
  }

  /** Returns the keys with this prefix of things that exist and that no unanswered operation changes. */
  settledKeys(beginning: string): readonly string[] {
    return [...this.#known.keys()].filter((key) => key.startsWith(beginning) && !this.isOpen(key));
  }

  /** Returns the keys with this prefix of all existing things. */
  keys(beginning: string): readonly string[] {
    return [...this.#known.keys()].filter((key) => key.startsWith(beginning));
  }

  /** Returns true if an unanswered operation changes the thing. */
  isOpen(key: string): boolean {
    return [...this.#open].some(({ changes }) => changes.has(key));
  }

  /**
   * Records an operation. Resolves to true if it was acknowledged. `work` resolves to undefined, or rejects, if the
   * reply does not show the outcome. A refused operation must have changed nothing. Rejects as `work` does.
   *
   * @param unnamed key prefix of a further thing that the operation creates, which the server names.
   */
  async change(
    kind: string,
    changes: Changes,
    work: () => Promise<Outcome | undefined>,
    unnamed?: string,
  ): Promise<boolean> {
    const open = { kind, changes, begun: this.#moment++ };
    this.#open.add(open);
    if (unnamed !== undefined) this.#unnamed.push(unnamed);
    const count = this.#count(kind);
    let outcome: Outcome | undefined;
    try {
      outcome = await work();
    } finally {
      if (outcome === undefined) count.unknown += 1;
    }
    if (outcome === undefined) return false;
    this.#open.delete(open);
    if (outcome === 'refused') {
      count.refused += 1;
      if (unnamed !== undefined) this.#unnamed.splice(this.#unnamed.indexOf(unnamed), 1);
      return false;
    }
    count.acknowledged += 1;
    this.#end(open);
    this.#apply(changes);
    this.#apply(outcome);
    return true;
  }

  /**
   * Compares the ledger with the state of the server, then adopts that state. Returns what is wrong.
   *
   * @param unfinished names of repos whose creation goes on, or that a sweep will undo: what concerns them stays open.
   */
  settle(found: Facts, unfinished: readonly string[] = []): readonly string[] {
    const repoKeys = new Set(unfinished.map((name) => `repo ${name}`));
    const tokens = new Set(unfinished.map((name) => `token ${name} `));
    const problems: string[] = [];
    const judged = new Set<string>();
    const open = new Set<OpenChange>();
    for (const change of this.#open) {
      const { kind, changes } = change;
      const keys = [...changes.keys()];
      for (const key of keys) judged.add(key);
      if (keys.some((key) => repoKeys.has(key))) {
        open.add(change);
        continue;
      }
      const isDone = keys.every((key) => found.get(key) === changes.get(key));
      const isUndone = keys.every((key) => found.get(key) === this.#known.get(key));
      if (isDone && keys.length > 0) this.#count(kind).unknownButDone += 1;
      if (isDone) this.#end(change);
      if (!isDone && !isUndone) problems.push(`half of an unacknowledged ${kind}: ${keys.slice(0, 5).join(', ')}`);
    }
    const unnamed = [...this.#unnamed];
    for (const key of new Set([...this.#known.keys(), ...found.keys()])) {
      const [known, there] = [this.#known.get(key), found.get(key)];
      if (judged.has(key) || known === there) continue;
      const place = known === undefined ? unnamed.findIndex((beginning) => key.startsWith(beginning)) : -1;
      if (place >= 0) unnamed.splice(place, 1);
      else problems.push(`${key}: acknowledged ${known ?? 'as gone or never'}, found ${there ?? 'nothing'}`);
    }
    this.#known = new Map(found);
    this.#open = open;
    this.#unnamed = this.#unnamed.filter((beginning) => tokens.has(beginning));
    return problems;
  }

  #end({ changes, begun }: OpenChange): void {
    this.done.push({ changes, begun, ended: this.#moment++ });
  }

  #count(kind: string): Count {
    const count = this.counts.get(kind) ?? { acknowledged: 0, refused: 0, unknown: 0, unknownButDone: 0 };
    this.counts.set(kind, count);
    return count;
  }

  #apply(changes: Changes): void {
    for (const [key, value] of changes) {
      if (value === undefined) this.#known.delete(key);
      else this.#known.set(key, value);
    }
  }
}
