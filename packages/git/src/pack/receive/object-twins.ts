import type { Codec } from '../../ports/codec.ts';
import { compareObjectIds, objectIdAt, objectIdBytes } from '../../object/object-id.ts';
import type { GitObject } from '../../object/kind.ts';
import { cost } from '../../work/costs.ts';
import type { AccountedReader } from './accounted-reader.ts';
import type { IndexOptions } from './incoming-pack.ts';
import { MemoryAccount } from './memory-account.ts';
import { PackError } from '../pack-error.ts';
import type { StoredEntry } from '../read/pack-reader.ts';
import type { PackSource } from '../read/pack-source.ts';
import type { PackTable } from '../pack-table.ts';

/** Bytes of two entries that are compared at a time. */
const comparedMax = 64 * 1024;

/** The pack whose objects are compared. */
export interface TwinPack {
  /** How many objects the client sent. */
  readonly sent: number;
  readonly oids: Uint8Array;
  readonly index: PackTable;
  readonly reader: AccountedReader;
  readonly source: PackSource;
}

/**
 * Checks that an object which the pack brings again equals the existing one, stored or within the pack (GIT-147).
 * Different objects with the same id exist, since SHA-1 is broken, and an attacker who has both could swap them.
 *
 * @throws {PackError} `object collision <oid>`.
 */
export async function checkTwins(pack: TwinPack, options: IndexOptions, heldUsually: number): Promise<void> {
  const account = new MemoryAccount(options.memory, heldUsually);
  try {
    await checkWithin(pack, options, account);
    await checkStored(pack, options, account);
  } finally {
    account.set(0);
  }
}

/** Compares what the repository has with what the client sent. */
async function checkStored(pack: TwinPack, options: IndexOptions, account: MemoryAccount): Promise<void> {
  const { codec, work, storedNumber, stored } = options;
  for (let ordinal = 0; ordinal < pack.sent; ordinal++) {
    const at = ordinal * objectIdBytes;
    if (work.spend(cost.edges)) await work.yield();
    if (storedNumber(pack.oids, at) < 0) continue;
    const twin = await stored(pack.oids, at);
    if (twin === undefined) continue;
    account.set(twin.body.length);
    work.spend(cost.compared, twin.body.length);
    if (!isSameObject(codec, twin, await pack.reader.read(ordinal))) throw collision(pack.oids, at);
  }
}

/** Compares what stands in the pack more than once with the first of its kind, which is held meanwhile. */
async function checkWithin(pack: TwinPack, options: IndexOptions, account: MemoryAccount): Promise<void> {
  const { oids, index, reader } = pack;
  const { codec, work } = options;
  const { byId } = index;
  let first = -1;
  let held: GitObject | undefined;
  for (let rank = 1; rank < byId.length; rank++) {
    if (work.spend(cost.edges)) await work.yield();
    const [before, ordinal] = [byId[rank - 1] as number, byId[rank] as number];
    if (compareObjectIds(oids, before * objectIdBytes, oids, ordinal * objectIdBytes) !== 0) {
      first = -1;
      continue;
    }
    if (first < 0) {
      first = before;
      held = undefined;
    }
    if (await isSameEntry(pack, options, before, ordinal)) continue;
    if (held === undefined) {
      const { kind, body } = await reader.read(first);
      account.set(body.length);
      held = { kind, body: body.slice() };
    }
    work.spend(cost.compared, held.body.length);
    if (!isSameObject(codec, held, await reader.read(ordinal))) throw collision(oids, ordinal * objectIdBytes);
  }
}

/**
 * Tests if two entries make the same object because they have the same bytes, as whole objects or with bases of the
 * same id. Then neither must be built. If the bases differ nevertheless, they are checked as twins themselves.
 */
async function isSameEntry(
  { oids, reader, source }: TwinPack,
  { codec, work }: IndexOptions,
  first: number,
  second: number,
): Promise<boolean> {
  const a = await reader.entry(first);
  const b = await reader.entry(second);
  const length = a.end - a.dataOffset;
  if (a.size !== b.size || b.end - b.dataOffset !== length || !hasSameBase(oids, a, b)) return false;
  for (let done = 0; done < length; done += comparedMax) {
    const size = Math.min(comparedMax, length - done);
    if (work.spend(cost.compared, 2 * size)) await work.yield();
    const left = (await bytesOf(source, a.dataOffset + done, size)).slice();
    if (!codec.equal(left, 0, await bytesOf(source, b.dataOffset + done, size), 0, size)) return false;
  }
  return true;
}

function hasSameBase(oids: Uint8Array, a: StoredEntry, b: StoredEntry): boolean {
  if (a.base < 0 || b.base < 0) return a.type === b.type;
  return compareObjectIds(oids, a.base * objectIdBytes, oids, b.base * objectIdBytes) === 0;
}

async function bytesOf(source: PackSource, offset: number, length: number): Promise<Uint8Array> {
  let bytes = source.peek(offset, length);
  while (bytes === undefined) bytes = (await source.load(offset, length)) ?? source.peek(offset, length);
  return bytes;
}

/** Tests two objects for the same kind and body. */
export function isSameObject(codec: Codec, a: GitObject, b: GitObject): boolean {
  const { length } = a.body;
  return a.kind === b.kind && length === b.body.length && codec.equal(a.body, 0, b.body, 0, length);
}

/** GIT-147. */
export function collision(oids: Uint8Array, at: number): PackError {
  return new PackError(`object collision ${objectIdAt(oids, at)}`);
}
