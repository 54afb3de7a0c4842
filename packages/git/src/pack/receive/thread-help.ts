import type { PackId } from '../../ports/pack-store.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import type { DeltaFamilies } from './delta-families.ts';
import type { EntryTables } from './entry-tables.ts';
import type { FamilyQueue } from './family-queue.ts';
import { HelperWork } from './helper-work.ts';
import type { IndexOptions } from './incoming-pack.ts';
import type { KeptDeltas } from './kept-deltas.ts';
import { spare } from './memory-plan.ts';
import type { LeftFamily, ListJob, ListShare, ReceivingThread } from './receiving-threads.ts';

/** Objects of the largest pack that a thread helps with: its tables grow with them. */
const objectsMost = 2_000_000;
/** Bytes of the largest object in such a pack. */
const objectMost = 8 * 1024 * 1024;

/** The help of another thread with one pack, if there is one (GIT-195). */
export class ThreadHelp {
  readonly #options: IndexOptions;
  #thread: ReceivingThread | undefined;
  #work: HelperWork | undefined;
  #resolving: Promise<readonly LeftFamily[] | undefined> | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: IndexOptions) {
    this.#options = options;
  }

  /** Tests if a pack of so many objects is one that a thread may help with. */
  mayShare(objects: number): boolean {
    const { threads } = this.#options;
    return threads !== undefined && objects >= threads.leastObjects && objects <= objectsMost;
  }

  /** Tests if there is a thread. */
  get isThere(): boolean {
    return this.#thread !== undefined;
  }

  /** Starts a thread that takes families of the queue, if there can be one. `id`: where the pack is stored. */
  begin(
    id: PackId | undefined,
    { count, offsets, crcs, oids, kinds, sizes, bases, kept, largest }: EntryTables,
    { firstChild, nextSibling, references }: DeltaFamilies,
    queue: FamilyQueue,
    deltas: KeptDeltas,
  ): void {
    const { store, strict, blobMax, objectMax, commitMax, chainDepthMax, chainMax } = this.#options;
    // Families of deltas by id wait for each other. Large objects need the memory that a thread would take.
    if (id === undefined || !this.mayShare(count) || references > 0 || largest > objectMost) return;
    const file = store.path?.(id);
    if (file === undefined) return;
    const thread = this.#start();
    if (thread === undefined) return;
    const work = (this.#work = HelperWork.begin());
    const { roots, next } = queue;
    const result = thread.resolve({
      file,
      count,
      columns: { offsets, crcs, oids, kinds, sizes, bases, kept },
      firstChild,
      nextSibling,
      queue: { roots, next },
      kept: deltas.blocks,
      work: work.shared,
      limits: { strict, blobMax, objectMax, commitMax, chainDepthMax, chainMax },
    });
    this.#resolving = work.counted(result, this.#options.work);
    // The failure is thrown when this thread waits for the other one.
    this.#resolving.catch(() => queue.stop());
  }

  /** Waits for work of this thread. If it lacks memory, the other thread must end first, and `again` goes on. */
  async beside(work: Promise<void>, again: () => Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof NotEnoughMemoryError) || !this.isThere) throw error;
      await this.#resolving;
      await this.end();
      await again();
    }
  }

  /** Resolves to what the thread leaves of its families, when it has made all others. Ends it if that was all. */
  async left(): Promise<readonly LeftFamily[]> {
    const left = await this.#resolving;
    if (left === undefined || this.#options.leansOnNothing !== true) await this.end();
    return left ?? [];
  }

  /** Lets the thread collect lists, after which it ends. Undefined: it has ended. */
  async collect(job: ListJob): Promise<ListShare | undefined> {
    if (this.#thread === undefined || this.#work === undefined) return undefined;
    try {
      return await this.#work.counted(this.#thread.collect(job), this.#options.work);
    } finally {
      await this.end();
    }
  }

  /** Ends the thread, if there is one. Every call resolves when it has ended. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    this.#work?.stop();
    try {
      await thread.end();
    } finally {
      this.#options.memory?.shrink(this.#options.threads?.memory ?? 0);
    }
  }

  #start(): ReceivingThread | undefined {
    const { threads, memory } = this.#options;
    if (threads === undefined) return undefined;
    // What is planned to be left must stay so. A push can do without a thread, so others that wait go first.
    if (memory?.growInTurn(threads.memory + spare) === false) return undefined;
    memory?.shrink(spare);
    this.#thread = threads.start();
    if (this.#thread === undefined) memory?.shrink(threads.memory);
    return this.#thread;
  }
}
