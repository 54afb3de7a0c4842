import { isValidObject } from '../object/check.ts';
import { blobKind, commitKind, kindName, tagKind, type KindNumber } from '../object/kind.ts';
import { objectIdAt, objectIdBytes } from '../object/object-id.ts';
import type { Sha1 } from '../ports/codec.ts';
import type { EntryTables } from './entry-tables.ts';
import type { IndexOptions } from './incoming-pack.ts';
import { PackError } from './pack-error.ts';

/** Room that {@link ObjectIntake.take} needs before a body, for the header that the id is taken over. */
export const headerRoom = 32;

/** A blob that claims to be this many times too large is not even hashed to name it. */
const hashedExcess = 32;

const headers: readonly Uint8Array[] = [0, 1, 2, 3, 4].map((kind) =>
  new TextEncoder().encode(kind === 0 ? '' : `${kindName(kind as KindNumber)} `),
);

/** Where objects of an incoming pack become known: their ids, limits and checks. */
export class ObjectIntake {
  readonly #tables: EntryTables;
  readonly #options: IndexOptions;

  constructor(tables: EntryTables, options: IndexOptions) {
    this.#tables = tables;
    this.#options = options;
  }

  /**
   * Whether an object of this kind and size is taken. False for a blob that is to be refused by its id: it must still
   * be hashed, without holding it ({@link ObjectIntake.begin}).
   *
   * @throws {PackError} if it is refused at once (LIM-051, LIM-056).
   */
  accepts(kind: number, size: number): boolean {
    const { blobMax, objectMax } = this.#options;
    if (kind !== blobKind) {
      if (size > objectMax) throw new PackError('object too large', 'object too large');
      return true;
    }
    if (size <= blobMax) return true;
    if (size > hashedExcess * blobMax) {
      throw new PackError(`file too large (${size} bytes, limit ${blobMax})`, 'file too large');
    }
    return false;
  }

  /** Takes an object in full: `buffer[start..start + size)`, with {@link headerRoom} bytes to write to before it. */
  take(ordinal: number, kind: KindNumber, buffer: Uint8Array, start: number, size: number): void {
    const tables = this.#tables;
    const from = writeObjectHeader(buffer, start, kind, size);
    tables.oids.set(this.#options.codec.sha1Of(buffer.subarray(from, start + size)), ordinal * objectIdBytes);
    tables.kinds[ordinal] = kind;
    tables.sizes[ordinal] = size;
    if (kind === blobKind) return;
    const body = buffer.subarray(start, start + size);
    if (!isValidObject(kind, body, this.#options.strict)) {
      throw new PackError(`invalid object ${objectIdAt(tables.oids, ordinal * objectIdBytes)}`);
    }
    if (kind === commitKind || kind === tagKind) this.#options.visit(ordinal, kind, body);
  }

  /** Begins to hash a blob that is not held; {@link ObjectIntake.finish} ends it. */
  begin(size: number): Sha1 {
    const header = new Uint8Array(headerRoom);
    const sha1 = this.#options.codec.sha1();
    sha1.update(header.subarray(writeObjectHeader(header, headerRoom, blobKind, size)));
    return sha1;
  }

  /** @throws {PackError} if the blob is larger than is allowed (LIM-051). */
  finish(ordinal: number, sha1: Sha1, size: number): void {
    const tables = this.#tables;
    tables.oids.set(sha1.digest(), ordinal * objectIdBytes);
    tables.kinds[ordinal] = blobKind;
    tables.sizes[ordinal] = size;
    const { blobMax } = this.#options;
    if (size > blobMax) {
      const oid = objectIdAt(tables.oids, ordinal * objectIdBytes);
      throw new PackError(`file too large: ${oid} (${size} bytes, limit ${blobMax})`, 'file too large');
    }
  }
}

/** Writes `<kind> <size>\0` so that it ends at `end`; answers where it starts. */
function writeObjectHeader(buffer: Uint8Array, end: number, kind: KindNumber, size: number): number {
  let at = end - 1;
  buffer[at] = 0;
  let rest = size;
  do {
    buffer[--at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  const name = headers[kind] as Uint8Array;
  at -= name.length;
  for (let i = 0; i < name.length; i++) buffer[at + i] = name[i] as number;
  return at;
}
