/** Reads the content of a pack without stock git and without the kit: an oracle of a few lines. */

import { NotDone } from '../core/outcome.ts';
import { made, type MadeObject } from './made-objects.ts';
import { checksumFits, takePackWithEnd, type TakenEntry } from './taken-pack.ts';

export interface PackContents {
  /** Objects by id. */
  readonly objects: ReadonlyMap<string, MadeObject>;
  /** Types of the entries in order: 1 to 4 are whole objects, 6 and 7 are deltas by offset and by id. */
  readonly types: readonly number[];
  /** Ids of delta bases that the pack does not contain. */
  readonly outside: ReadonlySet<string>;
}

const kinds = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' } as const;

/**
 * Reads a pack that a service sent to a client with the objects `held`.
 *
 * @throws if it is not a valid pack of version 2: wrong count or trailer, stray bytes, a duplicate object, or a delta
 *   whose base is neither in the pack nor held.
 */
export function readPack(pack: Buffer, held: Iterable<MadeObject> = []): PackContents {
  if (pack.toString('latin1', 0, 4) !== 'PACK') throw new NotDone('a pack without its signature');
  if (pack.readUInt32BE(4) !== 2) throw new NotDone(`a pack of version ${pack.readUInt32BE(4)}`);
  if (!checksumFits(pack)) throw new NotDone('a pack with a wrong trailer');
  const { entries, end } = takePackWithEnd(pack);
  if (end !== pack.length - 20) throw new NotDone(`a pack with ${pack.length - 20 - end} bytes before its trailer`);

  const known = new Map([...held].map((object) => [object.oid, object]));
  const objects = new Map<string, MadeObject>();
  const outside = new Set<string>();
  const done = new Map<TakenEntry, MadeObject>();
  const add = (entry: TakenEntry, object: MadeObject): void => {
    if (objects.has(object.oid)) throw new NotDone(`a pack that holds ${object.oid} twice`);
    objects.set(object.oid, object);
    done.set(entry, object);
  };
  let waiting = entries;
  while (waiting.length > 0) {
    const later = waiting.filter((entry) => {
      if (entry.type in kinds) {
        add(entry, made(kinds[entry.type as keyof typeof kinds], entry.data));
        return false;
      }
      const baseId = entry.baseId?.toString('hex') ?? '';
      const base = entry.base === undefined ? objects.get(baseId) : done.get(entry.base);
      if (base === undefined) return true;
      add(entry, made(base.kind, applyDelta(base.body, entry.data)));
      return false;
    });
    if (later.length === waiting.length) {
      // No base in the pack resolves any remaining delta, so take a base of the client.
      const entry = later.find(({ baseId }) => baseId !== undefined && known.has(baseId.toString('hex')));
      if (entry === undefined) throw new NotDone('a delta whose base is neither in the pack nor with the client');
      const base = known.get((entry.baseId as Buffer).toString('hex')) as MadeObject;
      outside.add(base.oid);
      add(entry, made(base.kind, applyDelta(base.body, entry.data)));
      later.splice(later.indexOf(entry), 1);
    }
    waiting = later;
  }
  return { objects, types: entries.map(({ type }) => type), outside };
}

/**
 * Applies a delta to its base.
 *
 * @throws if it does not fit.
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Buffer {
  let at = 0;
  const next = (): number => {
    const byte = delta[at++];
    if (byte === undefined) throw new NotDone('a delta that is cut off');
    return byte;
  };
  const size = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = next();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  if (size() !== base.length) throw new NotDone('a delta of another base');
  const length = size();
  const parts: Uint8Array[] = [];
  while (at < delta.length) {
    const code = next();
    if (code === 0) throw new NotDone('a delta with the reserved opcode');
    if (code < 128) {
      parts.push(delta.subarray(at, at + code));
      at += code;
      continue;
    }
    let offset = 0;
    let count = 0;
    for (let i = 0; i < 4; i++) if (code & (1 << i)) offset += next() * 256 ** i;
    for (let i = 0; i < 3; i++) if (code & (16 << i)) count += next() * 256 ** i;
    if (count === 0) count = 0x10000;
    if (offset + count > base.length) throw new NotDone('a delta that copies from behind its base');
    parts.push(base.subarray(offset, offset + count));
  }
  const made = Buffer.concat(parts);
  if (made.length !== length) throw new NotDone('a delta that makes another size than it tells');
  return made;
}
