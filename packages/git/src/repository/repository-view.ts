import { LruCache } from '@packhouse/base';
import { parseGraphFile } from '../graph/graph-file.ts';
import { GraphSet, type SetMember } from '../graph/graph-set.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { PackGraph } from '../graph/pack-graph.ts';
import type { GitObject } from '../object/kind.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../object/object-id.ts';
import type { ObjectReader } from '../pack/object-reader.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { StoredIndex } from '../pack/stored-index.ts';
import { BodyRing } from '../pack/body-ring.ts';
import { baseCacheSize, openStoredPack } from '../pack/read/stored-pack.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { PackRecord, RepoSnapshot } from '../ports/repo-state.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { hasLargeReadings, readingMemory } from '../memory/reading-memory.ts';
import type { RequestWork, Work } from '../work/scheduler.ts';
import { RowPacks, rowPortions } from './row-packs.ts';
import { placeKey } from '../engine/set-cache.ts';

/** Maximum number of bytes that the readers of packs in rows may pin in one view. */
const rowReadersMax = 8 * 1024 * 1024;

/** Account for the memory that a view needs for reading. */
export interface ReadingAccount {
  /**
   * Called before reading an object that takes at most this number of bytes.
   *
   * @throws {NotEnoughMemoryError}
   */
  reading(bytes: number): void;
}

/** One snapshot of a repository with its graph loaded, and its objects at hand. Never changes. */
export class RepositoryView {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  readonly set: GraphSet;
  /** The refs of the snapshot, which are read when needed. */
  readonly refs: RepoRefs;
  /** Account of the request that holds this view. */
  readonly work: RequestWork;
  readonly #loader: PackLoader;
  readonly #account: ReadingAccount | undefined;
  readonly #rowPacks: RowPacks;
  /** By the snapshot: records in a cached set may be from the time before a pack was moved to the store. */
  readonly #inRows: ReadonlySet<PackId>;
  readonly #readers = new LruCache<number, PackReaderEntry>(rowReadersMax, ({ pinned }) => pinned);
  readonly #objects = new BodyRing(baseCacheSize);
  #indexes: readonly PackIndex[] | undefined;

  private constructor(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    set: GraphSet,
    work: RequestWork,
    loader: PackLoader,
    account: ReadingAccount | undefined,
  ) {
    this.engine = engine;
    this.repository = repository;
    this.snapshot = snapshot;
    this.set = set;
    this.work = work;
    this.refs = new RepoRefs(engine, repository, snapshot, work);
    this.#loader = loader;
    this.#account = account;
    this.#rowPacks = new RowPacks(repository.state);
    this.#inRows = new Set(snapshot.packs.filter(({ where }) => where === 'rows').map(({ id }) => id));
  }

  /** Calls `account` before it reads large objects. Default: no accounting. */
  static async open(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    work: RequestWork,
    account?: ReadingAccount,
  ): Promise<RepositoryView> {
    const loader = new PackLoader(engine, repository, work);
    const set = await loadSet(engine, snapshot.packs, loader, work);
    return new RepositoryView(engine, repository, snapshot, set, work, loader, account);
  }

  /** Loads the indexes of all packs, which {@link RepositoryView.findObject} needs. */
  async loadIndexes(): Promise<void> {
    this.#indexes ??= await this.#loader.indexes(
      this.snapshot.packs.map((record, i) => ({ record, graph: (this.set.packs[i] as SetPack).graph })),
    );
  }

  /** Lets go of indexes that were loaded to open the view. */
  forgetIndexes(): void {
    this.#loader.forgetIndexes();
  }

  /** The index of one pack of the set. */
  packIndex(pack: SetPack): Promise<PackIndex> {
    return this.#loader.index(pack);
  }

  /** Number of the stored object whose 20 bytes stand at `at`, its oldest home; -1: not stored. After `loadIndexes`. */
  findObject(ids: Uint8Array, at: number): number {
    const indexes = this.#indexes ?? [];
    for (let i = 0; i < indexes.length; i++) {
      const ordinal = (indexes[i] as PackIndex).find(ids, at);
      if (ordinal >= 0) return (this.set.packs[i] as SetPack).objectStart + ordinal;
    }
    return -1;
  }

  /** Writes the 20 bytes of an object's id. After `loadIndexes`. */
  copyObjectId(object: number, target: Uint8Array, at: number): void {
    const number = this.set.packNumberOfObject(object);
    const index = this.#indexes?.[number];
    if (index === undefined) throw new Error('indexes are not loaded');
    index.copyId(object - (this.set.packs[number] as SetPack).objectStart, target, at);
  }

  /** The id of an object. After `loadIndexes`. */
  objectId(object: number): ObjectId {
    const id = new Uint8Array(objectIdBytes);
    this.copyObjectId(object, id, 0);
    return objectIdAt(id);
  }

  /**
   * Reads an object in full. The body is valid until the next read.
   *
   * @throws {NotEnoughMemoryError} if there is not enough memory for it and the objects it is made of.
   */
  read(object: number): GitObject | Promise<GitObject> {
    const number = this.set.packNumberOfObject(object);
    const reader = this.#readers.get(number)?.reader;
    const { objectStart, graph } = this.set.packs[number] as SetPack;
    const ordinal = object - objectStart;
    if (this.#account !== undefined && hasLargeReadings(graph)) {
      this.#account.reading(readingMemory(graph, ordinal, this.work));
    }
    if (reader !== undefined) return reader.read(ordinal);
    return this.#openReader(number).then((opened) => opened.read(ordinal));
  }

  /**
   * Returns the whole of a pack in rows; undefined for one in the store. `following` are the packs that are read next,
   * so that those in rows are fetched in few portions.
   */
  async readRows({ record }: SetPack, following?: Iterable<PackRecord>): Promise<Uint8Array | undefined> {
    return this.#inRows.has(record.id) ? this.#rowPacks.read(record, following) : undefined;
  }

  async #openReader(number: number): Promise<ObjectReader> {
    const pack = this.set.packs[number] as SetPack;
    const { record, objectStart } = pack;
    const index = await this.#loader.index(pack);
    const bytes = await this.readRows(pack);
    const reader = openStoredPack({
      id: record.id,
      index,
      store: this.repository.packs,
      bytes,
      codec: this.engine.codec,
      pages: this.engine.pages,
      work: this.work,
      cache: this.#objects,
      firstKey: objectStart,
    });
    this.#readers.set(number, { reader, pinned: bytes?.length ?? 0 });
    return reader;
  }
}

interface PackReaderEntry {
  readonly reader: ObjectReader;
  readonly pinned: number;
}

/** The graph of a manifest: that of the longest front of it that is cached, extended by the packs behind. */
async function loadSet(
  engine: GitEngine,
  packs: readonly PackRecord[],
  loader: PackLoader,
  work: Work,
): Promise<GraphSet> {
  let set = GraphSet.empty();
  for (let length = packs.length; length > 0; length--) {
    const cached = engine.sets.get(packs[length - 1] as PackRecord);
    if (cached === undefined || !isFront(cached, packs, length)) continue;
    set = cached;
    break;
  }
  if (set.packs.length === packs.length) return set;
  const extended = set.packs.at(-1)?.record;
  for await (const member of loader.members(packs.slice(set.packs.length))) {
    set = await set.with(member, (older) => loader.index(older), work);
  }
  const newest = packs.at(-1);
  if (newest !== undefined && engine.sets.set(newest, set) && extended !== undefined) {
    // The new one shares the tables of the one it extends, which would only count twice.
    engine.sets.delete(extended);
  }
  return set;
}

function isFront(set: GraphSet, packs: readonly PackRecord[], length: number): boolean {
  return (
    set.packs.length === length &&
    set.packs.every(({ record }, i) => placeKey(record) === placeKey(packs[i] as PackRecord))
  );
}

/** Loads graphs and indexes through the caches. Fetches those in rows in portions, and parses them at once. */
class PackLoader {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #work: Work;
  /** The cache may have no room for indexes that are needed several times. */
  readonly #indexes = new Map<PackId, PackIndex>();

  constructor(engine: GitEngine, repository: GitRepository, work: Work) {
    this.#engine = engine;
    this.#repository = repository;
    this.#work = work;
  }

  /** Packs with their graphs, in order. */
  async *members(records: readonly PackRecord[]): AsyncGenerator<SetMember, void, undefined> {
    const { graphs, codec } = this.#engine;
    const parse = (bytes: Uint8Array): Promise<PackGraph> => parseGraphFile(bytes, codec, this.#work);
    for await (const [record, graph] of this.#values(records, 'graph', graphs, parse)) yield { record, graph };
  }

  async indexes(packs: readonly SetMember[]): Promise<readonly PackIndex[]> {
    const missing = packs.filter(({ record }) => !this.#indexes.has(record.id));
    const records = missing.map(({ record }) => record);
    let next = 0;
    const parse = (bytes: Uint8Array): Promise<PackIndex> =>
      StoredIndex.open(bytes, (missing[next] as SetMember).graph.offsets, this.#work);
    for await (const [record, index] of this.#values(records, 'idx', this.#engine.indexes, parse)) {
      this.#indexes.set(record.id, index);
      next++;
    }
    return packs.map(({ record }) => this.#indexes.get(record.id) as PackIndex);
  }

  async index(pack: SetMember): Promise<PackIndex> {
    return (await this.indexes([pack]))[0] as PackIndex;
  }

  forgetIndexes(): void {
    this.#indexes.clear();
  }

  async *#values<Value>(
    records: readonly PackRecord[],
    file: 'graph' | 'idx',
    cache: LruCache<PackId, Value>,
    parse: (bytes: Uint8Array) => Promise<Value>,
  ): AsyncGenerator<readonly [PackRecord, Value], void, undefined> {
    const inRows = (record: PackRecord): boolean => record.where === 'rows' && cache.get(record.id) === undefined;
    for (const portion of rowPortions(records, (record) => (inRows(record) ? fileSize(record, file) : 0))) {
      const rows = await this.#rows(portion.filter(inRows), file);
      for (const record of portion) {
        let value = cache.get(record.id);
        if (value === undefined) {
          value = await parse(rows.get(record.id) ?? (await this.#file(record, file)));
          cache.set(record.id, value);
        }
        yield [record, value];
      }
    }
  }

  async #file(record: PackRecord, file: 'graph' | 'idx'): Promise<Uint8Array> {
    // Where there are no rows any more, the pack was moved to the store since this record was read.
    const rows = record.where === 'rows' ? (await this.#rows([record], file)).get(record.id) : undefined;
    if (rows !== undefined) return rows;
    const [bytes] = await this.#repository.packs.read(record.id, file, [{ offset: 0, length: fileSize(record, file) }]);
    return bytes as Uint8Array;
  }

  async #rows(records: readonly PackRecord[], file: 'graph' | 'idx'): Promise<ReadonlyMap<PackId, Uint8Array>> {
    if (records.length === 0) return new Map();
    const found = await this.#repository.state.rowFiles(
      records.map(({ id }) => id),
      [file],
    );
    return new Map(found.map(({ id, bytes }) => [id, bytes]));
  }
}

function fileSize(record: PackRecord, file: 'graph' | 'idx'): number {
  return file === 'idx' ? record.idxSize : record.graphSize;
}
