import { refHistoryMax, type ObjectId, type RefName, type RefTarget } from '@packhouse/git';
import type { RefTable } from '../repo-state/apply-updates.ts';
import { compareBytewise } from '@packhouse/base';
import type { NameRange, RefRow, RefSource } from '../repo-state/read-refs.ts';

interface Change extends RefRow<RefTarget | null> {
  readonly version: number;
}

/** A folder in the paths of refs. */
interface Folder {
  readonly parts: Map<string, Folder>;
  /** The ref with exactly this path. */
  ref?: RefName | undefined;
}

/** Refs of one repository in memory, with their latest changes. */
export class MemoryRefs implements RefTable {
  readonly #targets = new Map<RefName, RefTarget>();
  /** Names as a tree, to find a conflicting ref without testing each leading path. */
  readonly #root: Folder = { parts: new Map() };
  /** Values that changes replaced, oldest first. */
  #history: readonly Change[] = [];
  #oldest = 0;
  #sorted: readonly RefName[] | undefined;

  get count(): number {
    return this.#targets.size;
  }

  named(names: readonly RefName[]): readonly RefRow[] {
    return [...new Set(names)].flatMap((name) => {
      const target = this.#targets.get(name);
      return target === undefined ? [] : [{ name, target }];
    });
  }

  set(name: RefName, { oid, kind, peeled }: RefTarget): void {
    if (!this.#targets.has(name)) this.#add(name);
    this.#targets.set(name, { oid, kind, peeled });
  }

  delete(name: RefName): void {
    if (this.#targets.delete(name)) this.#remove(name);
  }

  conflicting(name: RefName): RefName | undefined {
    let folder: Folder | undefined = this.#root;
    for (const part of name.split('/')) {
      if (folder.ref !== undefined) return folder.ref;
      folder = folder.parts.get(part);
      if (folder === undefined) return undefined;
    }
    return folder.parts.size === 0 ? undefined : firstBelow(folder);
  }

  /** Records the values that the change to `version` replaced. */
  remember(version: number, replaced: readonly RefRow<RefTarget | null>[]): void {
    const all = [...this.#history, ...replaced.map((row) => ({ ...row, version }))];
    const dropped = all.length > refHistoryMax ? (all[all.length - refHistoryMax - 1] as Change).version : this.#oldest;
    this.#oldest = dropped;
    this.#history = all.filter((change) => change.version > dropped);
  }

  /** Returns a source of the refs at `version`, the current one. */
  at(version: number): RefSource {
    return {
      version,
      oldest: this.#oldest,
      named: (names) => this.named(names),
      pointing: (oids, limit) => this.#pointing(oids, limit),
      below: (range, limit) => this.named(this.#names(range, limit)),
      before: (since, range) => {
        const later = this.#history.filter((change) => change.version > since && isWithin(change.name, range));
        return new Map(later.toReversed().map(({ name, target }) => [name, target]));
      },
      changed: (low, high, range, limit) => {
        const between = this.#history.filter((change) => change.version > low && change.version <= high);
        const names = new Set(between.map(({ name }) => name).filter((name) => isWithin(name, range)));
        return [...names].sort(compareBytewise).slice(0, limit);
      },
    };
  }

  #pointing(oids: readonly ObjectId[], limit: number): readonly RefRow[] {
    const counts = new Map(oids.map((oid) => [oid, 0]));
    const found: RefRow[] = [];
    for (const [name, target] of this.#targets) {
      const count = counts.get(target.oid);
      if (count === undefined || count === limit) continue;
      counts.set(target.oid, count + 1);
      found.push({ name, target });
    }
    return found;
  }

  #names(range: NameRange, limit: number): readonly RefName[] {
    this.#sorted ??= [...this.#targets.keys()].sort(compareBytewise);
    const { after, prefix } = range;
    const start = after !== undefined && compareBytewise(after, prefix) > 0 ? after : prefix;
    const names: RefName[] = [];
    for (let i = firstAtLeast(this.#sorted, start); names.length < limit && i < this.#sorted.length; i++) {
      const name = this.#sorted[i] as RefName;
      if (!name.startsWith(prefix)) break;
      if (isWithin(name, range)) names.push(name);
    }
    return names;
  }

  #add(name: RefName): void {
    this.#sorted = undefined;
    let folder = this.#root;
    for (const part of name.split('/')) {
      let next = folder.parts.get(part);
      if (next === undefined) folder.parts.set(part, (next = { parts: new Map() }));
      folder = next;
    }
    folder.ref = name;
  }

  #remove(name: RefName): void {
    this.#sorted = undefined;
    const parts = name.split('/');
    const folders = [this.#root];
    for (const part of parts) folders.push((folders.at(-1) as Folder).parts.get(part) as Folder);
    (folders.at(-1) as Folder).ref = undefined;
    for (let at = parts.length; at > 0; at--) {
      const folder = folders[at] as Folder;
      if (folder.ref !== undefined || folder.parts.size > 0) break;
      folders[at - 1]?.parts.delete(parts[at - 1] as string);
    }
  }
}

/** Returns the bytewise first ref in a non-empty folder. */
function firstBelow(folder: Folder): RefName {
  let at = folder;
  while (at.ref === undefined) {
    let first: { readonly key: string; readonly next: Folder } | undefined;
    for (const [part, next] of at.parts) {
      // The character after the part matters, too: `a-b` sorts before `a/b`.
      const key = next.ref === undefined ? `${part}/` : part;
      if (first === undefined || compareBytewise(key, first.key) < 0) first = { key, next };
    }
    at = (first as { readonly next: Folder }).next;
  }
  return at.ref;
}

function isWithin(name: RefName, { prefix, after, end }: NameRange): boolean {
  if (!name.startsWith(prefix)) return false;
  if (after !== undefined && compareBytewise(name, after) <= 0) return false;
  return end === undefined || compareBytewise(name, end) <= 0;
}

/** Returns the index of the first name that is not before `start`. */
function firstAtLeast(names: readonly RefName[], start: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytewise(names[middle] as RefName, start) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
