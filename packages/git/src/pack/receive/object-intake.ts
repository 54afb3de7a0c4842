import { isValidObject, TreeCheck } from '../../object/check.ts';
import { blobKind, commitKind, kindName, tagKind, treeKind, type KindNumber } from '../../object/kind.ts';
import { objectIdAt, objectIdBytes } from '../../object/object-id.ts';
import type { Sha1 } from '../../ports/codec.ts';
import { cost } from '../../work/costs.ts';
import type { EntryTables } from './entry-tables.ts';
import type { IndexOptions } from './incoming-pack.ts';
import { pieceBytes } from '../inflate.ts';
import { limitError, PackError } from '../pack-error.ts';

/** Room that {@link ObjectIntake.take} needs before a body, for the header that the id is taken over. */
export const headerRoom = 32;

/** A blob that claims to be this many times too large is not even hashed to name it. */
const hashedExcess = 32;

const headers: readonly Uint8Array[] = [0, 1, 2, 3, 4].map((kind) =>
  new TextEncoder().encode(kind === 0 ? '' : `${kindName(kind as KindNumber)} `),
);

/** Rules by which an object is accepted. */
export type IntakeOptions = Pick<
  IndexOptions,
  'codec' | 'strict' | 'visit' | 'work' | 'blobMax' | 'objectMax' | 'commitMax'
>;

/** Registers objects of an incoming pack: their ids, limits and checks. */
export class ObjectIntake {
  readonly #tables: EntryTables;
  readonly #options: IntakeOptions;

  constructor(tables: EntryTables, options: IntakeOptions) {
    this.#tables = tables;
    this.#options = options;
  }

  /**
   * Tests if an object of this kind and size is accepted. Returns false for a blob that will be refused by its id: it
   * must still be hashed, without holding it ({@link ObjectIntake.begin}).
   *
   * @throws {PackError} if it is refused at once (LIM-051, LIM-056, LIM-066).
   */
  accepts(kind: number, size: number): boolean {
    const { blobMax, objectMax, commitMax } = this.#options;
    if (kind === treeKind) {
      if (size > objectMax) throw limitError('object too large', `${size} bytes`, objectMax, 'object_max');
      return true;
    }
    if (kind !== blobKind) {
      const reason = kind === commitKind ? 'commit too large' : 'tag too large';
      if (size > commitMax) throw limitError(reason, `${size} bytes`, commitMax, 'commit_max');
      return true;
    }
    if (size <= blobMax) return true;
    if (size > hashedExcess * blobMax) {
      throw fileTooLarge('', size, blobMax);
    }
    return false;
  }

  /** Takes an object in full: `buffer[start..start + size)`, with {@link headerRoom} bytes to write to before it. */
  take(ordinal: number, kind: KindNumber, buffer: Uint8Array, start: number, size: number): void {
    const { codec, strict, visit, work } = this.#options;
    const from = writeObjectHeader(buffer, start, kind, size);
    const id = codec.sha1Of(buffer.subarray(from, start + size));
    work.spend(cost.hashed, size);
    if (kind !== blobKind) {
      work.spend(cost.parsed, size);
      const body = buffer.subarray(start, start + size);
      if (!isValidObject(kind, body, strict)) throw invalid(id);
      if (kind === commitKind || kind === tagKind) visit(ordinal, kind, body);
    }
    // Only now: where the visitor lacks memory, the object may be made again.
    this.#tables.enter(ordinal, kind, size, id);
  }

  /** Does the same as {@link ObjectIntake.take} for a large object. Yields when others must have their turn. */
  *takeLarge(
    ordinal: number,
    kind: KindNumber,
    buffer: Uint8Array,
    start: number,
    size: number,
  ): Generator<void, void, undefined> {
    const { codec, strict, visit, work } = this.#options;
    const sha1 = codec.sha1();
    const end = start + size;
    for (let at = writeObjectHeader(buffer, start, kind, size); at < end; at += pieceBytes) {
      const piece = buffer.subarray(at, Math.min(at + pieceBytes, end));
      sha1.update(piece);
      if (work.spend(cost.hashed, piece.length)) yield;
    }
    const id = sha1.digest();
    const body = buffer.subarray(start, end);
    if (kind === treeKind) {
      const check = new TreeCheck(body, strict);
      for (let isValid: boolean | undefined; isValid !== true;) {
        const before = check.position;
        isValid = check.run(before + pieceBytes);
        if (isValid === false) throw invalid(id);
        if (work.spend(cost.parsed, check.position - before)) yield;
      }
    } else if (kind !== blobKind) {
      work.spend(cost.parsed, size);
      if (!isValidObject(kind, body, strict)) throw invalid(id);
      visit(ordinal, kind, body);
    }
    this.#tables.enter(ordinal, kind, size, id);
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
    this.#tables.enter(ordinal, blobKind, size, sha1.digest());
    const { blobMax } = this.#options;
    if (size > blobMax) {
      throw fileTooLarge(`: ${objectIdAt(this.#tables.oids, ordinal * objectIdBytes)}`, size, blobMax);
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

function fileTooLarge(name: string, size: number, limit: number): PackError {
  return new PackError(`file too large${name} (${size} bytes, limit ${limit}, blob_max)`, 'file too large');
}

function invalid(id: Uint8Array): PackError {
  return new PackError(`invalid object ${objectIdAt(id, 0)}`);
}
