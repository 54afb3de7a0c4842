import type { Codec } from '../../ports/codec.ts';
import { BodyRing } from '../body-ring.ts';
import { BufferPool } from '../buffer-pool.ts';
import { PackReader } from '../read/pack-reader.ts';
import type { PackSource } from '../read/pack-source.ts';
import { baseCacheSize } from '../read/stored-pack.ts';
import { DeltaResolver } from './delta-resolver.ts';
import { EntryTables } from './entry-tables.ts';
import { FamilyQueue } from './family-queue.ts';
import { HelperWork } from './helper-work.ts';
import { deltasAtHand, KeptDeltas } from './kept-deltas.ts';
import { MemoryAccount } from './memory-account.ts';
import { ObjectIntake } from './object-intake.ts';
import type { DeltaJob, LeftFamily } from './receiving-threads.ts';

/** Bytes of bases that are held. */
const stackMax = 4 * 1024 * 1024;

/** A pack that another thread receives, as this one sees it. */
export class PackHelper {
  readonly tables: EntryTables;
  readonly reader: PackReader;
  readonly codec: Codec;
  readonly work: HelperWork;
  readonly #job: DeltaJob;
  readonly #source: PackSource;
  readonly #deltas: KeptDeltas;

  constructor(job: DeltaJob, codec: Codec, source: PackSource) {
    const tables = (this.tables = EntryTables.over(job.columns, job.count));
    this.codec = codec;
    this.work = new HelperWork(job.work);
    this.#job = job;
    this.#source = source;
    this.#deltas = new KeptDeltas(0, new BufferPool(0), job.kept);
    this.reader = new PackReader(
      source,
      tables.offsets,
      (ordinal) => tables.bases[ordinal] as number,
      codec,
      new BodyRing(baseCacheSize),
      this.work,
      0,
      deltasAtHand(tables, this.#deltas),
    );
  }

  /** Makes the families that it takes from the queue, up to a mebibyte an object. Returns what it leaves. */
  async resolve(): Promise<readonly LeftFamily[]> {
    const { tables, codec, reader, work } = this;
    const { firstChild, nextSibling, limits } = this.#job;
    const queue = new FamilyQueue(this.#job.queue);
    const left: LeftFamily[] = [];
    const account = new MemoryAccount(undefined, 0);
    const resolver = new DeltaResolver({
      ...limits,
      codec,
      tables,
      families: { firstChild, nextSibling, adopt: (ordinal) => firstChild[ordinal] as number },
      // Commits and tags are visited by the thread that receives them.
      intake: new ObjectIntake(tables, { ...limits, codec, work, visit: () => {} }),
      deltas: this.#deltas,
      source: this.#source,
      reader,
      work,
      stackBudget: stackMax,
      stackAccount: account,
      deltaAccount: account,
      entryAccount: account,
      leave: (family) => left.push(family),
    });
    for (let root = queue.take(); root !== undefined; root = queue.take()) await resolver.resolve(root);
    return left;
  }
}
