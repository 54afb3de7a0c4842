import type { RefRecord } from './ref-record.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import {
  compareNames,
  firstAtLeast,
  nameBytesAt,
  packedRefsMax,
  packedSize,
  recordsOf,
  repackRefs,
  sliceBelow,
  sliceOfName,
  type PackedRefs,
  type RefSlice,
} from './packed-refs.ts';

let lists = 0;

/**
 * All refs of one version of a repository, or those from the first one up to some name. Never changes: what a commit
 * makes of it is another list, which shares the chunks that the commit left alone.
 */
export class RefList {
  /** Different from the number of every other list in this process. */
  readonly number: number = lists++;
  /** The chunks in order. None is empty. */
  readonly chunks: readonly PackedRefs[];
  /** Memory of the list in bytes. */
  readonly size: number;

  constructor(chunks: readonly PackedRefs[]) {
    this.chunks = chunks;
    this.size = chunks.reduce((sum, chunk) => sum + packedSize(chunk), 256);
  }

  /** The list with more refs after its own. */
  with(chunks: readonly PackedRefs[]): RefList {
    return new RefList([...this.chunks, ...chunks.filter(({ count }) => count > 0)]);
  }

  /**
   * The list after a change; the same one if nothing changes.
   *
   * @param changes refs with their new values, sorted bytewise by name, among them those that exist no more.
   */
  async after(changes: readonly PackedRefs[], work: Work): Promise<RefList> {
    const all = changes.flatMap((refs) => Array.from({ length: refs.count }, (_, index): Place => [refs, index]));
    if (all.length === 0) return this;
    const own = this.chunks.length === 0 ? [repackRefs([])] : this.chunks;
    const chunks: PackedRefs[] = [];
    let next = 0;
    for (const [i, chunk] of own.entries()) {
      const start = next;
      // What sorts between two chunks goes to the first one, and what sorts behind all to the last one.
      next = own[i + 1] === undefined ? all.length : firstFrom(all, next, nameBytesAt(own[i + 1] as PackedRefs, 0));
      if (start === next) {
        chunks.push(chunk);
        continue;
      }
      chunks.push(...merged(chunk, all.slice(start, next)));
      if (work.spend(cost.steps, chunk.count + next - start)) await work.yield();
    }
    return new RefList(chunks);
  }

  find(name: string): RefRecord | undefined {
    const bytes = encodeUtf8(name);
    const chunk = this.chunks[this.#chunkOf(bytes)];
    if (chunk === undefined) return undefined;
    const [ref] = recordsOf(sliceOfName(chunk, bytes));
    return ref;
  }

  /** The refs whose names start with `prefix`, in order. */
  *below(prefix: string): Generator<RefSlice, void, undefined> {
    const start = encodeUtf8(prefix);
    for (let i = this.#chunkOf(start); i < this.chunks.length; i++) {
      const slice = sliceBelow(this.chunks[i] as PackedRefs, start);
      if (slice.from < slice.to) yield slice;
      if (slice.to < slice.refs.count) return;
    }
  }

  /** Index of the first chunk whose last name does not sort before `name`. */
  #chunkOf(name: Uint8Array): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.chunks[middle] as PackedRefs;
      if (compareNames(nameBytesAt(chunk, chunk.count - 1), name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

type Place = readonly [refs: PackedRefs, index: number];

/** Index of the first place from `start` on that does not sort before `name`. */
function firstFrom(places: readonly Place[], start: number, name: Uint8Array): number {
  let at = start;
  while (at < places.length && compareNames(nameOf(places[at] as Place), name) < 0) at++;
  return at;
}

function nameOf([refs, index]: Place): Uint8Array {
  return nameBytesAt(refs, index);
}

/** A chunk after changes; several chunks if one would be too large. */
function merged(chunk: PackedRefs, changes: readonly Place[]): readonly PackedRefs[] {
  const places: Place[] = [];
  let own = 0;
  for (const change of changes) {
    const name = nameOf(change);
    const end = firstAtLeast(chunk, name);
    for (; own < end; own++) places.push([chunk, own]);
    if (own < chunk.count && compareNames(nameBytesAt(chunk, own), name) === 0) own++;
    const [refs, index] = change;
    if (refs.kinds[index] !== 0) places.push(change);
  }
  for (; own < chunk.count; own++) places.push([chunk, own]);
  const parts = Math.ceil(places.length / packedRefsMax);
  const each = Math.ceil(places.length / parts);
  return Array.from({ length: parts }, (_, i) => repackRefs(places.slice(i * each, (i + 1) * each)));
}
