import { parseGraphFile } from '../graph/graph-file.ts';
import { GraphSet } from '../graph/graph-set.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { PackGraph } from '../graph/pack-graph.ts';
import type { GitObject } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { ObjectReader } from '../pack/object-reader.ts';
import { parsePackIndexFile } from '../pack/pack-index-file.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { openStoredPack } from '../pack/stored-pack.ts';
import type { PackFile, PackId } from '../ports/pack-store.ts';
import type { PackRecord, RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from './engine.ts';

/** Rows are asked for in portions of this size, since messages between objects and Workers have a limit. */
const rowPortion = 8 * 1024 * 1024;

/** One snapshot of a repository with its graph loaded, and its objects at hand. Never changes. */
export class RepositoryView {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  readonly set: GraphSet;
  readonly #rows: ReadonlyMap<string, Uint8Array>;
  readonly #readers = new Map<number, ObjectReader>();
  #indexes: readonly PackIndex[] | undefined;

  private constructor(
    engine: GitEngine,
    repository: GitRepository,
    snapshot: RepoSnapshot,
    set: GraphSet,
    rows: ReadonlyMap<string, Uint8Array>,
  ) {
    this.engine = engine;
    this.repository = repository;
    this.snapshot = snapshot;
    this.set = set;
    this.#rows = rows;
  }

  static async open(engine: GitEngine, repository: GitRepository, snapshot: RepoSnapshot): Promise<RepositoryView> {
    const rows = new Map<string, Uint8Array>();
    const loader = new PackLoader(engine, repository, rows);
    const set = await loadSet(engine, snapshot.packs, loader);
    return new RepositoryView(engine, repository, snapshot, set, rows);
  }

  /** The index of a pack of the snapshot. */
  index(record: PackRecord): Promise<PackIndex> {
    return new PackLoader(this.engine, this.repository, this.#rows as Map<string, Uint8Array>).index(record);
  }

  /** Loads the indexes of all packs, which {@link RepositoryView.findObject} needs. */
  async loadIndexes(): Promise<void> {
    if (this.#indexes !== undefined) return;
    const loader = new PackLoader(this.engine, this.repository, this.#rows as Map<string, Uint8Array>);
    await loader.loadRows(
      this.snapshot.packs.filter((record) => this.engine.indexes.get(record.id) === undefined),
      ['idx'],
    );
    const indexes: PackIndex[] = [];
    for (const record of this.snapshot.packs) indexes.push(await loader.index(record));
    this.#indexes = indexes;
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
    const number = this.set.packNumberOfObject(object);
    const index = this.#indexes?.[number];
    if (index === undefined) throw new Error('indexes are not loaded');
    return index.id(object - (this.set.packs[number] as SetPack).objectStart);
  }

  /** Reads an object in full. After `loadIndexes`, or `openPacks` for its pack. */
  read(object: number): GitObject | Promise<GitObject> {
    const number = this.set.packNumberOfObject(object);
    const reader = this.#readers.get(number);
    const ordinal = object - (this.set.packs[number] as SetPack).objectStart;
    if (reader !== undefined) return reader.read(ordinal);
    return this.#openReader(number).then((opened) => opened.read(ordinal));
  }

  /** Bytes of a pack as they are stored. */
  async readBytes(pack: SetPack, offset: number, length: number): Promise<Uint8Array> {
    const { record } = pack;
    if (record.where === 'rows') return (await this.#rowFile(record, 'pack')).subarray(offset, offset + length);
    const [bytes] = await this.repository.packs.read(record.id, 'pack', [{ offset, length }]);
    return bytes as Uint8Array;
  }

  async #openReader(number: number): Promise<ObjectReader> {
    const { record } = this.set.packs[number] as SetPack;
    const index = await this.index(record);
    const bytes = record.where === 'rows' ? await this.#rowFile(record, 'pack') : undefined;
    const reader = openStoredPack({
      id: record.id,
      index,
      store: this.repository.packs,
      bytes,
      codec: this.engine.codec,
      pages: this.engine.pages,
    });
    this.#readers.set(number, reader);
    return reader;
  }

  async #rowFile(record: PackRecord, file: PackFile): Promise<Uint8Array> {
    return new PackLoader(this.engine, this.repository, this.#rows as Map<string, Uint8Array>).file(record, file);
  }
}

/** The graph of a manifest: that of the longest front of it that is cached, extended by the packs behind. */
async function loadSet(engine: GitEngine, packs: readonly PackRecord[], loader: PackLoader): Promise<GraphSet> {
  let set = GraphSet.empty();
  for (let length = packs.length; length > 0; length--) {
    const cached = engine.sets.get((packs[length - 1] as PackRecord).id);
    if (cached === undefined || !isFront(cached, packs, length)) continue;
    set = cached;
    break;
  }
  if (set.packs.length === packs.length) return set;
  const missing = packs.slice(set.packs.length);
  await loader.loadRows(
    missing.filter((record) => engine.graphs.get(record.id) === undefined),
    ['graph'],
  );
  for (const record of missing)
    set = await set.with({ record, graph: await loader.graph(record) }, (older) => loader.index(older));
  const newest = packs.at(-1);
  if (newest !== undefined) engine.sets.set(newest.id, set);
  return set;
}

function isFront(set: GraphSet, packs: readonly PackRecord[], length: number): boolean {
  return set.packs.length === length && set.packs.every((pack, i) => pack.record.id === (packs[i] as PackRecord).id);
}

/** Loads the files of packs through the caches. `rows` keeps what was read from rows, for the life of a view. */
class PackLoader {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #rows: Map<string, Uint8Array>;

  constructor(engine: GitEngine, repository: GitRepository, rows: Map<string, Uint8Array>) {
    this.#engine = engine;
    this.#repository = repository;
    this.#rows = rows;
  }

  async graph(record: PackRecord): Promise<PackGraph> {
    const cached = this.#engine.graphs.get(record.id);
    if (cached !== undefined) return cached;
    const graph = parseGraphFile(await this.file(record, 'graph'), this.#engine.codec);
    this.#engine.graphs.set(record.id, graph);
    return graph;
  }

  async index(record: PackRecord): Promise<PackIndex> {
    const cached = this.#engine.indexes.get(record.id);
    if (cached !== undefined) return cached;
    const index = parsePackIndexFile(await this.file(record, 'idx'), record.packSize).index;
    this.#engine.indexes.set(record.id, index);
    return index;
  }

  async file(record: PackRecord, file: PackFile): Promise<Uint8Array> {
    if (record.where === 'rows') {
      await this.loadRows([record], [file]);
      const bytes = this.#rows.get(rowKey(record.id, file));
      if (bytes === undefined) throw new Error('a pack of the manifest has no rows');
      return bytes;
    }
    const length = file === 'pack' ? record.packSize : file === 'idx' ? record.idxSize : record.graphSize;
    const [bytes] = await this.#repository.packs.read(record.id, file, [{ offset: 0, length }]);
    return bytes as Uint8Array;
  }

  /** Reads the given files of those packs that lie in rows, a bounded portion a call. */
  async loadRows(records: readonly PackRecord[], files: readonly PackFile[]): Promise<void> {
    let ids: PackId[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (ids.length === 0) return;
      for (const row of await this.#repository.state.rowFiles(ids, files))
        this.#rows.set(rowKey(row.id, row.file), row.bytes);
      ids = [];
      size = 0;
    };
    for (const record of records) {
      if (record.where !== 'rows' || files.every((file) => this.#rows.has(rowKey(record.id, file)))) continue;
      const own = record.packSize + record.idxSize + record.graphSize;
      if (size + own > rowPortion) await flush();
      ids.push(record.id);
      size += own;
    }
    await flush();
  }
}

function rowKey(id: PackId, file: PackFile): string {
  return `${id}.${file}`;
}
