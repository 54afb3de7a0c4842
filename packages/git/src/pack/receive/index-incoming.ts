import { blobKind, tagKind, treeKind } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import type { PackId } from '../../ports/pack-store.ts';
import { cost } from '../../work/costs.ts';
import { inBlocks } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { AccountedReader } from './accounted-reader.ts';
import { BodyRing } from '../body-ring.ts';
import { BufferPool } from '../buffer-pool.ts';
import { DeltaFamilies } from './delta-families.ts';
import { DeltaResolver } from './delta-resolver.ts';
import { EntryTables } from './entry-tables.ts';
import { FamilyQueue } from './family-queue.ts';
import type { IncomingPack, IndexOptions } from './incoming-pack.ts';
import { deltasAtHand, KeptDeltas } from './kept-deltas.ts';
import { LargeTrees } from './large-trees.ts';
import { checkTwins } from './object-twins.ts';
import { MemoryAccount } from './memory-account.ts';
import { MemoryPlan } from './memory-plan.ts';
import { ObjectIntake } from './object-intake.ts';
import { completeInMemory, completeInStore, PackCompletion } from './pack-completion.ts';
import { appendBases } from './append-bases.ts';
import { PackError } from '../pack-error.ts';
import { writePackIndexFile } from '../pack-index-file.ts';
import { PackReader } from '../read/pack-reader.ts';
import { PackScanner } from './pack-scanner.ts';
import { memorySource, type PackSource } from '../read/pack-source.ts';
import { PackSpool } from './pack-spool.ts';
import { ThreadHelp } from './thread-help.ts';
import { PackTable } from '../pack-table.ts';
import { packHeader, packHeaderSize } from '../pack-writer.ts';
import { PageCache } from '../read/page-cache.ts';
import { baseCacheSize } from '../read/stored-pack.ts';

const mebibyte = 1024 * 1024;
const appendedBudget = 16 * mebibyte;
/** Bytes of large trees that are kept while the pack is walked over. */
const largeTreesBudget = 16 * mebibyte;
/** Chunks are taken in slices, between which others may have their turn. */
const sliceSize = 32 * 1024;

/**
 * Receives a pack, indexes it and checks it by itself (GIT-140 to GIT-148), without the objects it refers to. Makes two
 * passes. While the stream arrives, it splits, inflates and stores entries unchanged. Then it resolves deltas family by
 * family, reading through a page cache. Up to three parts of the store stay in memory, fewer if memory is short; longer
 * packs are stored while they arrive. A thin pack is then stored a second time, completed; a pack of version 3 is stored
 * again as version 2 (GIT-067). For a pack without objects it returns `index.count` 0 and stores nothing.
 *
 * @throws {PackError} for a pack that must be refused. Errors of source and store pass through. On any error, all
 * written bytes were removed.
 */
export async function indexIncomingPack(
  source: AsyncIterable<Uint8Array>,
  options: IndexOptions,
): Promise<IncomingPack> {
  const intake = new PackIntake(options);
  try {
    return await intake.run(source);
  } catch (error) {
    await intake.discard();
    throw error;
  }
}

class PackIntake {
  readonly #options: IndexOptions;
  readonly #work: Work;
  readonly #pool: BufferPool;
  #spool: PackSpool;
  #deltas: KeptDeltas | undefined;
  #pages: PageCache | undefined;
  #largeTrees: LargeTrees | undefined;
  readonly #help: ThreadHelp;
  /** Buffers of the pages or of the pack, except those that may still be read. */
  #buffers: readonly Uint8Array[] = [];

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#work = options.work;
    this.#help = new ThreadHelp(options);
    this.#pool = options.buffers ?? new BufferPool(0);
    this.#spool = new PackSpool(options.store, this.#pool, [], options.bodyLength);
  }

  async run(source: AsyncIterable<Uint8Array>): Promise<IncomingPack> {
    const { codec, store, memoryMax, memoryLeft = memoryMax, blobMax, objectMax, received } = this.#options;
    const input = source[Symbol.asyncIterator]();
    try {
      const { header, rest } = await readHeader(input);
      const { version, count: sent } = parsePackHeader(header);
      const length = this.#options.bodyLength ?? Infinity;
      const memory = new MemoryPlan(memoryMax, memoryLeft, store.partSize, sent, length);
      this.#spool.parts = memory.parts;
      if (memory.total !== undefined) await this.#options.memory?.resize(memory.total);
      const allocate = this.#help.mayShare(sent) ? (bytes: number) => new SharedArrayBuffer(bytes) : undefined;
      const tables = new EntryTables(sent, memory.believed, allocate);
      const intake = new ObjectIntake(tables, this.#options);
      const deltas = (this.#deltas = new KeptDeltas(memory.kept, this.#pool));
      const deltaMax = 2 * Math.max(blobMax, objectMax) + mebibyte;
      const account = new MemoryAccount(this.#options.memory, memory.object);
      const scanner = new PackScanner(
        { codec, tables, intake, deltas, deltaMax, account, work: this.#work },
        header,
        sent,
      );
      let trailer: Uint8Array;
      try {
        received?.(header.length);
        await this.#spool.append(header);
        await this.#scan(scanner, rest, input);
        trailer = scanner.finish();
      } finally {
        scanner.close();
      }
      if (sent === 0) return emptyPack(this.#options);
      this.#buffers = await this.#spool.complete();
      const pages = (this.#pages = new PageCache(memory.pages));
      for (const buffer of this.#buffers) pages.donate(buffer);
      const sentTrailer = version === 2 ? trailer : undefined;
      return await this.#resolve(tables, intake, deltas, scanner.end, sentTrailer, pages, memory);
    } finally {
      await input.return?.();
    }
  }

  async discard(): Promise<void> {
    try {
      await this.#spool.discard();
    } finally {
      await this.#release();
    }
  }

  /** Gives the buffers back, once nothing is being read into them. */
  async #release(): Promise<void> {
    await this.#help.end();
    await this.#pages?.settled();
    for (const buffer of this.#buffers) this.#pool.give(buffer);
    this.#buffers = [];
    this.#deltas?.release();
    this.#largeTrees?.clear();
  }

  async #scan(scanner: PackScanner, first: Uint8Array, input: AsyncIterator<Uint8Array>): Promise<void> {
    let chunk = first;
    for (;;) {
      for (let at = 0; at < chunk.length; at += sliceSize) {
        const slice = chunk.subarray(at, at + sliceSize);
        this.#options.received?.(slice.length);
        for (let isDone = scanner.feed(slice); !isDone; isDone = scanner.resume()) await this.#work.yield();
        const stored = this.#spool.append(slice);
        if (stored !== undefined) await stored;
        if (this.#work.spend(cost.steps)) await this.#work.yield();
      }
      const next = await input.next();
      if (next.done === true) return;
      chunk = next.value;
    }
  }

  /** `trailer`: checksum of the pack as it was sent; undefined if it cannot stay as it is. */
  async #resolve(
    tables: EntryTables,
    intake: ObjectIntake,
    deltas: KeptDeltas,
    end: number,
    trailer: Uint8Array | undefined,
    pages: PageCache,
    plan: MemoryPlan,
  ): Promise<IncomingPack> {
    const { codec, store, chainDepthMax, chainMax } = this.#options;
    const work = this.#work;
    const sent = tables.count;
    const families = await DeltaFamilies.of(tables, work);
    tables.offsets[sent] = end;
    const parts = this.#spool.memory();
    const stored = parts === undefined ? pages.source(store, this.#spool.id as PackId, this.#spool.size) : undefined;
    const completion = new PackCompletion(codec, tables, end, appendedBudget, work);
    const whole = completion.over(stored ?? memorySource(parts ?? [], store.partSize));
    const atHand = deltasAtHand(tables, deltas);
    const largeTrees = (this.#largeTrees = new LargeTrees(
      largeTreesBudget,
      new MemoryAccount(this.#options.memory, 0),
    ));
    const readerOver = (source: PackSource): AccountedReader => {
      const reader = new PackReader(
        source,
        tables.offsets,
        (ordinal) => tables.bases[ordinal] as number,
        codec,
        new BodyRing(baseCacheSize, largeTrees),
        work,
        0,
        atHand,
      );
      return new AccountedReader(reader, tables, this.#options.work, this.#options.memory);
    };
    let source = whole;
    let objects = readerOver(whole);
    const { kinds, bases } = tables;
    let begun: DeltaResolver | undefined;
    // It begins with a buffer of a mebibyte, and many small pushes have no deltas.
    const resolver = (): DeltaResolver =>
      (begun ??= new DeltaResolver({
        codec,
        tables,
        families,
        intake,
        deltas,
        source: whole,
        reader: objects,
        work,
        chainDepthMax,
        chainMax,
        stackBudget: plan.stackMax,
        stackAccount: new MemoryAccount(this.#options.memory, plan.stack),
        deltaAccount: new MemoryAccount(this.#options.memory, plan.object),
        entryAccount: new MemoryAccount(this.#options.memory, plan.object),
      }));

    const [own, shared]: [number[], number[]] = [[], []];
    await inBlocks(work, sent, (from, to) => {
      for (let i = from; i < to; i++) {
        const kind = kinds[i] as number;
        if ((bases[i] as number) >= 0 || kind > tagKind || families.adopt(i) < 0) continue;
        (kind === treeKind || kind === blobKind ? shared : own).push(i);
      }
    });
    const queue = FamilyQueue.of(shared, tables.allocate);
    const goOn = (): Promise<void> => resolver().goOn();
    this.#help.begin(this.#spool.id, tables, families, queue, deltas);
    for (const root of own) await this.#help.beside(resolver().resolve(root), goOn);
    for (let root = queue.take(); root !== undefined; root = queue.take()) {
      await this.#help.beside(resolver().resolve(root), goOn);
    }
    for (const family of await this.#help.left()) await this.#help.beside(resolver().resume(family), goOn);
    if (families.incomplete) await appendBases(this.#options, tables, families, resolver(), completion);

    const { count } = tables;
    let chunks = parts;
    let checksum = trailer ?? new Uint8Array(0);
    if (count > sent || trailer === undefined) {
      if (parts !== undefined) {
        ({ chunks, checksum } = await completeInMemory(parts, end, completion, count, codec, work));
      } else {
        const thin = this.#spool;
        // It reads the thin pack.
        await this.#help.end();
        // What the pages hold is that of the thin pack, which is about to go.
        await pages.settled();
        pages.clear();
        const buffers = this.#buffers;
        this.#buffers = [];
        const completed = await completeInStore(store, thin, end, completion, count, codec, this.#pool, buffers, work);
        this.#spool = completed.spool;
        checksum = completed.checksum;
        for (const buffer of completed.buffers) pages.donate(buffer);
        this.#buffers = completed.buffers;
        await thin.discard();
        source = pages.source(store, this.#spool.id as PackId, this.#spool.size);
        objects = readerOver(source);
      }
    }
    const packSize = (tables.offsets[count] as number) + objectIdBytes;
    // The tables were made for just so many entries, so they go on to the index as they are.
    const offsets = tables.offsets.subarray(0, count + 1);
    const index = await PackTable.of(
      tables.oids.subarray(0, count * objectIdBytes),
      packSize < 2 ** 32 ? new Uint32Array(offsets) : offsets,
      work,
    );
    const twins = { sent, oids: tables.oids, index, reader: objects, source };
    const check = (): Promise<void> => checkTwins(twins, this.#options, plan.object);
    await this.#help.beside(check(), check);

    const crcs = tables.crcs.subarray(0, count);
    const { largest } = tables;
    if (parts !== undefined) this.#buffers = parts;
    let id = this.#spool.id;
    let keeping: Promise<PackId> | undefined;
    const keep = async (): Promise<PackId> => {
      if (chunks === undefined) return id as PackId;
      id = await store.reserve();
      const buffers = this.#buffers;
      this.#buffers = [];
      await store.put(id, 'pack', chunks);
      this.#buffers = buffers;
      return id;
    };
    return {
      index,
      sent,
      kinds: tables.kinds.subarray(0, count),
      sizes: tables.sizes.subarray(0, count),
      bases: tables.bases.subarray(0, count),
      objects,
      collectBeside: this.#help.isThere
        ? (nodes) => this.#help.collect({ ...nodes, byId: index.byId, largest })
        : undefined,
      packSize,
      checksum,
      idx: () => writePackIndexFile(index, crcs, checksum, codec, work),
      bytes: chunks,
      keep: () => (keeping ??= keep()),
      release: () => this.#release(),
      // What the store never heard of, it need not remove.
      discard: async () => (id === undefined ? undefined : store.remove(id)),
    };
  }
}

/** Takes the first 12 bytes, however they come. */
async function readHeader(input: AsyncIterator<Uint8Array>): Promise<{ header: Uint8Array; rest: Uint8Array }> {
  const header = new Uint8Array(packHeaderSize);
  let length = 0;
  for (;;) {
    const next = await input.next();
    if (next.done === true) throw new PackError('truncated pack');
    const taken = Math.min(packHeaderSize - length, next.value.length);
    header.set(next.value.subarray(0, taken), length);
    length += taken;
    for (let i = 0; i < Math.min(length, 4); i++) if (header[i] !== signature[i]) throw badHeader();
    if (length === packHeaderSize) return { header, rest: next.value.subarray(taken) };
  }
}

const signature = [0x50, 0x41, 0x43, 0x4b];

/** The version, and the number of objects that the header announces (GIT-140). */
function parsePackHeader(header: Uint8Array): { version: number; count: number } {
  const view = new DataView(header.buffer);
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) throw badHeader();
  return { version, count: view.getUint32(8) };
}

function badHeader(): PackError {
  return new PackError('bad pack header');
}

/** Returns the result for an empty pack. */
function emptyPack({ codec, store, work }: IndexOptions): IncomingPack {
  const header = packHeader(0);
  const checksum = codec.sha1Of(header);
  const index = new PackTable(new Uint8Array(0), Uint32Array.of(packHeaderSize), new Uint32Array(0));
  return {
    index,
    sent: 0,
    kinds: new Uint8Array(0),
    sizes: new Uint32Array(0),
    bases: new Int32Array(0),
    objects: {
      read: () => {
        throw new RangeError('an empty pack has no objects');
      },
    },
    packSize: packHeaderSize + objectIdBytes,
    checksum,
    idx: () => writePackIndexFile(index, new Uint32Array(0), checksum, codec, work),
    bytes: [header, checksum],
    async keep() {
      const id = await store.reserve();
      await store.put(id, 'pack', [header, checksum]);
      return id;
    },
    release: async () => undefined,
    discard: async () => undefined,
  };
}
