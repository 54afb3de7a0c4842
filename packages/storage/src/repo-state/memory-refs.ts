import type { RefName, RefRecord, RefTarget } from '@packhouse/git';
import { leadingPaths, type RefTable } from './apply-updates.ts';
import { compareBytewise } from './byte-order.ts';

/** The refs of one repository in memory. */
export class MemoryRefs implements RefTable {
  readonly #targets = new Map<RefName, RefTarget>();
  /** How many refs lie below each path, so that a name without any is seen at once. */
  readonly #below = new Map<RefName, number>();
  #sorted: readonly RefRecord[] | undefined;

  /** All refs, sorted bytewise. */
  list(): readonly RefRecord[] {
    this.#sorted ??= [...this.#targets]
      .map(([name, { oid, kind, peeled }]) => ({ name, oid, kind, peeled }))
      .sort((a, b) => compareBytewise(a.name, b.name));
    return this.#sorted;
  }

  get(name: RefName): RefTarget | undefined {
    return this.#targets.get(name);
  }

  set(name: RefName, target: RefTarget): void {
    this.#sorted = undefined;
    if (!this.#targets.has(name)) this.#count(name, 1);
    this.#targets.set(name, target);
  }

  delete(name: RefName): void {
    this.#sorted = undefined;
    if (this.#targets.delete(name)) this.#count(name, -1);
  }

  firstOf(names: readonly RefName[]): RefName | undefined {
    return names.find((name) => this.#targets.has(name));
  }

  firstBelow(name: RefName): RefName | undefined {
    if (!this.#below.has(name)) return undefined;
    let first: RefName | undefined;
    for (const other of this.#targets.keys()) {
      if (other.startsWith(`${name}/`) && (first === undefined || compareBytewise(other, first) < 0)) first = other;
    }
    return first;
  }

  #count(name: RefName, change: 1 | -1): void {
    for (const path of leadingPaths(name)) {
      const count = (this.#below.get(path) ?? 0) + change;
      if (count === 0) this.#below.delete(path);
      else this.#below.set(path, count);
    }
  }
}
