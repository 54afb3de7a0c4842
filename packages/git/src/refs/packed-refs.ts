import { kindName, kindNumber, type KindNumber } from '../object/kind.ts';
import { objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import type { RefRecord, RefTarget } from './ref-record.ts';
import { decodeLossy, encodeUtf8 } from '../bytes/utf8.ts';
import type { RefName } from './ref-name.ts';

/**
 * Refs sorted bytewise by name, in a few tables: about 60 bytes per ref, half of them its name. Plain data, so that it
 * can be sent between isolates. Immutable.
 */
export interface PackedRefs {
  readonly count: number;
  /** The names in UTF-8, one after the other. */
  readonly names: Uint8Array;
  /** By ref: end of its name. */
  readonly nameEnds: Uint32Array;
  /** By ref: the kind of its value; 0 if the ref does not exist. */
  readonly kinds: Uint8Array;
  /** By ref: 20 bytes. */
  readonly oids: Uint8Array;
  /** By ref: 20 bytes, zeros if it peels to nothing. Empty if no ref peels. */
  readonly peeled: Uint8Array;
}

/** Packed refs from `from` up to `to`, exclusive. */
export interface RefSlice {
  readonly refs: PackedRefs;
  readonly from: number;
  readonly to: number;
}

/** Maximum number of refs packed together. */
export const packedRefsMax = 1024;

const zeros = new Uint8Array(objectIdBytes);

/** Packs refs, sorted bytewise by name. A ref without a target does not exist. */
export function packRefs(refs: readonly { readonly name: RefName; readonly target: RefTarget | null }[]): PackedRefs {
  const names = refs.map(({ name }) => encodeUtf8(name));
  const packed = allocate(
    names,
    refs.some(({ target }) => target !== null && target.peeled !== null),
  );
  refs.forEach(({ target }, i) => {
    if (target === null) return;
    packed.kinds[i] = kindNumber[target.kind];
    writeObjectId(target.oid, packed.oids, i * objectIdBytes);
    if (target.peeled !== null) writeObjectId(target.peeled, packed.peeled, i * objectIdBytes);
  });
  return packed;
}

/** Packs refs of other packed refs, sorted bytewise by name. */
export function repackRefs(refs: readonly (readonly [from: PackedRefs, index: number])[]): PackedRefs {
  const names = refs.map(([from, index]) => nameBytesAt(from, index));
  const packed = allocate(
    names,
    refs.some(([from, index]) => hasPeeled(from, index)),
  );
  refs.forEach(([from, index], i) => {
    packed.kinds[i] = from.kinds[index] as number;
    packed.oids.set(oidBytesAt(from, index), i * objectIdBytes);
    if (hasPeeled(from, index)) packed.peeled.set(idAt(from.peeled, index), i * objectIdBytes);
  });
  return packed;
}

/** Returns the bytes that packed refs take. */
export function packedSize({ names, nameEnds, kinds, oids, peeled }: PackedRefs): number {
  return 256 + names.length + nameEnds.byteLength + kinds.length + oids.length + peeled.length;
}

export function nameBytesAt({ names, nameEnds }: PackedRefs, index: number): Uint8Array {
  return names.subarray(index === 0 ? 0 : nameEnds[index - 1], nameEnds[index]);
}

export function nameAt(refs: PackedRefs, index: number): RefName {
  return decodeLossy(nameBytesAt(refs, index)) as RefName;
}

/** Returns a view of the 20 bytes of a ref's value. */
export function oidBytesAt({ oids }: PackedRefs, index: number): Uint8Array {
  return idAt(oids, index);
}

/** Tests if a ref peels to something other than its value (GIT-043). */
export function hasPeeled({ peeled }: PackedRefs, index: number): boolean {
  return peeled.length > 0 && !isSame(idAt(peeled, index), zeros);
}

/** Returns the target of a ref; undefined if the ref does not exist. */
export function targetAt(refs: PackedRefs, index: number): RefTarget | undefined {
  const kind = refs.kinds[index] as KindNumber | 0;
  if (kind === 0) return undefined;
  const peeled = hasPeeled(refs, index) ? objectIdAt(refs.peeled, index * objectIdBytes) : null;
  return { oid: oidAt(refs, index), kind: kindName(kind), peeled };
}

export function oidAt({ oids }: PackedRefs, index: number): ObjectId {
  return objectIdAt(oids, index * objectIdBytes);
}

/** Yields the existing refs of a slice. */
export function* recordsOf({ refs, from, to }: RefSlice): Generator<RefRecord, void, undefined> {
  for (let i = from; i < to; i++) {
    const target = targetAt(refs, i);
    if (target !== undefined) yield { name: nameAt(refs, i), ...target };
  }
}

/** Returns the index of the first ref whose name is not before `name`. */
export function firstAtLeast(refs: PackedRefs, name: Uint8Array): number {
  let low = 0;
  let high = refs.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareNames(nameBytesAt(refs, middle), name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the ref with that name, or an empty slice. */
export function sliceOfName(refs: PackedRefs, name: Uint8Array): RefSlice {
  const from = firstAtLeast(refs, name);
  const isFound = from < refs.count && compareNames(nameBytesAt(refs, from), name) === 0;
  return { refs, from, to: isFound ? from + 1 : from };
}

/** Returns the refs whose names start with `prefix`. */
export function sliceBelow(refs: PackedRefs, prefix: Uint8Array): RefSlice {
  if (prefix.length === 0) return { refs, from: 0, to: refs.count };
  // No UTF-8 text contains byte 255.
  const end = prefix.slice();
  end[end.length - 1] = (end.at(-1) as number) + 1;
  return { refs, from: firstAtLeast(refs, prefix), to: firstAtLeast(refs, end) };
}

/** Compares bytewise: negative, zero or positive. */
export function compareNames(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function allocate(names: readonly Uint8Array[], peels: boolean): PackedRefs {
  const count = names.length;
  const nameEnds = new Uint32Array(count);
  let end = 0;
  names.forEach((name, i) => (nameEnds[i] = end += name.length));
  const bytes = new Uint8Array(end);
  names.forEach((name, i) => bytes.set(name, (nameEnds[i] as number) - name.length));
  return {
    count,
    names: bytes,
    nameEnds,
    kinds: new Uint8Array(count),
    oids: new Uint8Array(count * objectIdBytes),
    peeled: new Uint8Array(peels ? count * objectIdBytes : 0),
  };
}

function idAt(ids: Uint8Array, index: number): Uint8Array {
  return ids.subarray(index * objectIdBytes, (index + 1) * objectIdBytes);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i]);
}
