import { parseCommit } from '../../object/commit.ts';
import { commitKind, kindNumber, type KindNumber } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import { parseTag } from '../../object/tag.ts';
import { GrowableUint32 } from '../../graph/growable.ts';
import type { MemoryShare } from '../../pack/receive/incoming-pack.ts';
import { MemoryAccount } from '../../pack/receive/memory-account.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { limitError } from '../../pack/pack-error.ts';
import type { NodeLinks } from '../../graph/make/push-walk.ts';

/** Size in bytes of links that each push has without its own memory reservation. */
const linksUsually = 256 * 1024;
/** Factor by which the ids grow: doubling would waste the most where there is the least. */
const growth = 1.5;
/** Five tables of numbers. */
const tableBytesPerRecord = 20;

export interface LinkLimits {
  /** Maximum number of parents of a commit (LIM-067). */
  readonly commitParentsMax: number;
  /** Maximum memory of the request (LIM-059). */
  readonly memoryMax: number;
}

/** Links of the commits and tags of a pack, gathered while it is indexed, so that the walk opens none of them again. */
export class IncomingLinks {
  readonly #limits: LinkLimits;
  readonly #account: MemoryAccount;
  #ids: Uint8Array = new Uint8Array(4096);
  #idsLength = 0;
  readonly #ordinals: GrowableUint32 = new GrowableUint32();
  readonly #starts: GrowableUint32 = new GrowableUint32();
  readonly #parentCounts: GrowableUint32 = new GrowableUint32();
  /** For a tag: kind of its target; 0 for commits. */
  readonly #targets: GrowableUint32 = new GrowableUint32();
  readonly #dates: GrowableUint32 = new GrowableUint32();
  #recordOfOrdinal: Int32Array | undefined;

  /** `memory` reserves the bytes that the links take. */
  constructor(limits: LinkLimits, memory: MemoryShare) {
    this.#limits = limits;
    this.#account = new MemoryAccount(memory, linksUsually);
  }

  /**
   * @throws {PackError} LIM-067.
   * @throws {NotEnoughMemoryError} LIM-059.
   */
  add(ordinal: number, kind: KindNumber, body: Uint8Array): void {
    const links = linksOf(kind, body);
    if (links === undefined) return;
    const { commitParentsMax } = this.#limits;
    if (links.parentCount > commitParentsMax) {
      throw limitError('too many parents', String(links.parentCount), commitParentsMax, 'commit_parents_max');
    }
    const size = (kind === commitKind ? 1 + links.parentCount : 1) * objectIdBytes;
    this.#grow(size);
    this.#ids.set(links.ids.subarray(links.offset, links.offset + size), this.#idsLength);
    this.#ordinals.push(ordinal);
    this.#starts.push(this.#idsLength);
    this.#parentCounts.push(links.parentCount);
    this.#targets.push(links.targetKind ?? 0);
    this.#dates.push(links.date);
    this.#idsLength += size;
    this.#recordOfOrdinal = undefined;
  }

  /** The links of an ordinal; undefined if it is no commit or tag, or one that does not parse. */
  get(ordinal: number): NodeLinks | undefined {
    const record = (this.#recordOfOrdinal ??= this.#byOrdinal())[ordinal] ?? -1;
    if (record < 0) return undefined;
    const target = this.#targets.values[record] as number;
    return {
      ids: this.#ids,
      offset: this.#starts.values[record] as number,
      parentCount: this.#parentCounts.values[record] as number,
      targetKind: target === 0 ? undefined : (target as KindNumber),
      date: this.#dates.values[record] as number,
    };
  }

  #grow(size: number): void {
    const records = this.#ordinals.length;
    const isFull = this.#idsLength + size > this.#ids.length;
    if (!isFull && records < this.#ordinals.values.length) return;
    const length = isFull ? Math.max(Math.ceil(this.#ids.length * growth), this.#idsLength + size) : this.#ids.length;
    // Each table doubles.
    const needed = length + 2 * tableBytesPerRecord * (records + 1);
    const { memoryMax: limit } = this.#limits;
    if (needed > limit) throw new NotEnoughMemoryError({ needed, limit, setting: 'request_memory_max' });
    this.#account.set(needed);
    if (!isFull) return;
    const larger = new Uint8Array(length);
    larger.set(this.#ids.subarray(0, this.#idsLength));
    this.#ids = larger;
  }

  #byOrdinal(): Int32Array {
    let highest = -1;
    for (let i = 0; i < this.#ordinals.length; i++) highest = Math.max(highest, this.#ordinals.values[i] as number);
    const table = new Int32Array(highest + 1).fill(-1);
    for (let i = 0; i < this.#ordinals.length; i++) table[this.#ordinals.values[i] as number] = i;
    return table;
  }
}

/** Returns the links of a commit or tag; undefined for other kinds and for malformed bodies. */
export function linksOf(kind: KindNumber, body: Uint8Array): NodeLinks | undefined {
  if (kind === commitKind) {
    const commit = parseCommit(body);
    if (commit === undefined) return undefined;
    const date = Math.min(commit.time, 0xffff_ffff);
    return { ids: commit.ids, offset: 0, parentCount: commit.parentCount, targetKind: undefined, date };
  }
  if (kind !== kindNumber.tag) return undefined;
  const tag = parseTag(body);
  return tag === undefined ? undefined : { ids: tag.target, offset: 0, parentCount: 0, targetKind: tag.kind, date: 0 };
}
