import type { GitObject } from '../../object/kind.ts';
import { isLargeReading, readingMemory } from '../../memory/reading-memory.ts';
import type { EntryTables } from './entry-tables.ts';
import type { MemoryShare } from './incoming-pack.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { Work } from '../../work/scheduler.ts';
import type { PackReader, StoredEntry } from '../read/pack-reader.ts';

/** Reads the objects of an incoming pack, and pays for the large ones (LIM-059). */
export class AccountedReader implements ObjectReader {
  readonly #reader: PackReader;
  readonly #tables: EntryTables;
  readonly #work: Work;
  readonly #memory: MemoryShare | undefined;

  /** `memory`: undefined if large objects are not accounted for. */
  constructor(reader: PackReader, tables: EntryTables, work: Work, memory: MemoryShare | undefined) {
    this.#reader = reader;
    this.#tables = tables;
    this.#work = work;
    this.#memory = memory;
  }

  /** @throws {NotEnoughMemoryError} if there is no room for the object and what it is made of. */
  read(ordinal: number): GitObject | Promise<GitObject> {
    if (isLargeReading(this.#tables.largest)) {
      this.#memory?.reading(readingMemory(this.#tables, ordinal, this.#work));
    }
    return this.#reader.read(ordinal);
  }

  entry(ordinal: number): StoredEntry | Promise<StoredEntry> {
    return this.#reader.entry(ordinal);
  }
}
