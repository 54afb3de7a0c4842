import { LruCache } from '@packhouse/base';
import type { PackId } from '../ports/pack-store.ts';
import type { PackRecord, RepoState } from '../ports/repo-state.ts';

/** Rows are asked for in portions of this size, since messages between objects and Workers have a limit. */
export const rowPortion: number = 8 * 1024 * 1024;
/** Maximum number of bytes to keep: the current portion and the next one. */
const kept = 2 * rowPortion;

/** Cuts records into portions whose files make up at most {@link rowPortion}; a larger one stands alone. */
export function* rowPortions(
  records: Iterable<PackRecord>,
  sizeOf: (record: PackRecord) => number,
): Generator<PackRecord[], void, undefined> {
  let portion: PackRecord[] = [];
  let size = 0;
  for (const record of records) {
    const own = sizeOf(record);
    if (portion.length > 0 && size + own > rowPortion) {
      yield portion;
      portion = [];
      size = 0;
    }
    portion.push(record);
    size += own;
  }
  if (portion.length > 0) yield portion;
}

/** Reads the `pack` files of packs whose bytes are in database rows. Caches the last two portions that were read. */
export class RowPacks {
  readonly #state: Pick<RepoState, 'rowFiles'>;
  readonly #packs = new LruCache<PackId, Uint8Array>(kept, (bytes) => bytes.length);
  readonly #loading: Map<PackId, Promise<ReadonlyMap<PackId, Uint8Array>>> = new Map();

  constructor(state: Pick<RepoState, 'rowFiles'>) {
    this.#state = state;
  }

  /** Number of bytes that it holds now. */
  get memory(): number {
    return this.#packs.weight;
  }

  /**
   * Returns the bytes of a pack; undefined if it moved from rows to the store since the snapshot. `following` are the
   * packs to be read next, which are fetched together with it.
   */
  async read(record: PackRecord, following: Iterable<PackRecord> = []): Promise<Uint8Array | undefined> {
    return this.#packs.get(record.id) ?? (await this.#load(record, following)).get(record.id);
  }

  #load(record: PackRecord, following: Iterable<PackRecord>): Promise<ReadonlyMap<PackId, Uint8Array>> {
    const running = this.#loading.get(record.id);
    if (running !== undefined) return running;
    const ids = [record.id];
    let size = record.packSize;
    for (const next of following) {
      if (
        next.where !== 'rows' ||
        next.id === record.id ||
        this.#loading.has(next.id) ||
        this.#packs.get(next.id) !== undefined
      )
        continue;
      size += next.packSize;
      if (size > rowPortion) break;
      ids.push(next.id);
    }
    const loading = this.#fetch(ids).finally(() => {
      for (const id of ids) this.#loading.delete(id);
    });
    for (const id of ids) this.#loading.set(id, loading);
    return loading;
  }

  async #fetch(ids: readonly PackId[]): Promise<ReadonlyMap<PackId, Uint8Array>> {
    const found = new Map<PackId, Uint8Array>();
    for (const { id, bytes } of await this.#state.rowFiles(ids, ['pack'])) {
      found.set(id, bytes);
      this.#packs.set(id, bytes);
    }
    return found;
  }
}
