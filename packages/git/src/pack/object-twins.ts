import type { Codec } from '../ports/codec.ts';
import { compareObjectIds, objectIdAt, objectIdBytes } from '../object/object-id.ts';
import type { GitObject } from '../object/kind.ts';
import type { Turns } from '../turns.ts';
import type { IndexOptions } from './incoming-pack.ts';
import type { ObjectReader } from './object-reader.ts';
import { PackError } from './pack-error.ts';
import type { PackTable } from './pack-table.ts';

/**
 * GIT-147: what the pack brings a second time, be it stored or within the pack, must be what it is already. Two
 * different objects of one id do exist (SHA-1 is broken), and whoever has both can swap them.
 *
 * @throws {PackError} `object collision <oid>`.
 */
export async function checkTwins(
  oids: Uint8Array,
  sent: number,
  index: PackTable,
  objects: ObjectReader,
  options: IndexOptions,
  turns: Turns,
): Promise<void> {
  const { byId } = index;
  for (let rank = 1; rank < byId.length; rank++) {
    const at = (byId[rank] as number) * objectIdBytes;
    const before = (byId[rank - 1] as number) * objectIdBytes;
    if (compareObjectIds(oids, before, oids, at) !== 0) continue;
    const first = await objects.read(byId[rank - 1] as number);
    const kept = { kind: first.kind, body: first.body.slice() };
    if (!isSameObject(options.codec, kept, await objects.read(byId[rank] as number))) throw collision(oids, at);
  }
  for (let ordinal = 0; ordinal < sent; ordinal++) {
    const at = ordinal * objectIdBytes;
    if (!options.mayBeStored(oids, at)) continue;
    if (turns.due()) await turns.pass();
    const stored = await options.stored(oids, at);
    if (stored !== undefined && !isSameObject(options.codec, stored, await objects.read(ordinal)))
      throw collision(oids, at);
  }
}

/** Whether two objects have the same kind and body. */
export function isSameObject(codec: Codec, a: GitObject, b: GitObject): boolean {
  const { length } = a.body;
  return a.kind === b.kind && length === b.body.length && codec.equal(a.body, 0, b.body, 0, length);
}

/** GIT-147. */
export function collision(oids: Uint8Array, at: number): PackError {
  return new PackError(`object collision ${objectIdAt(oids, at)}`);
}
