/**
 * Object ids (SHA-1). Text form: 40 lower-case hexadecimal digits; byte form: 20 bytes, also at an offset of a
 * larger table, since tables of ids are never split into one array per id.
 */

declare const objectIdBrand: unique symbol;

/** 40 lower-case hexadecimal digits that passed {@link parseObjectId} or came from {@link objectIdAt}. */
export type ObjectId = string & { readonly [objectIdBrand]: true };

/** Bytes of one id. */
export const objectIdBytes = 20;

/** Stands for "no ref" in commands and reports (GIT-110). It never identifies an object. */
export const zeroObjectId: ObjectId = '0'.repeat(40) as ObjectId;

const hexDigits = /^[0-9a-f]{40}$/;

/** Parses the text form; `undefined` if it is not 40 lower-case hexadecimal digits. */
export function parseObjectId(text: string): ObjectId | undefined {
  return hexDigits.test(text) ? (text as ObjectId) : undefined;
}

const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns the text form of the 20 bytes at `offset`. */
export function objectIdAt(bytes: Uint8Array, offset = 0): ObjectId {
  let text = '';
  for (let i = offset; i < offset + objectIdBytes; i++) text += hexOfByte[bytes[i] as number];
  return text as ObjectId;
}

/** Writes the byte form of `id` into `target` at `offset`. */
export function writeObjectId(id: ObjectId, target: Uint8Array, offset = 0): void {
  for (let i = 0; i < objectIdBytes; i++) {
    target[offset + i] = (digit(id.charCodeAt(2 * i)) << 4) | digit(id.charCodeAt(2 * i + 1));
  }
}

/** Returns the byte form of `id` in a new array. */
export function objectIdToBytes(id: ObjectId): Uint8Array {
  const bytes = new Uint8Array(objectIdBytes);
  writeObjectId(id, bytes);
  return bytes;
}

/** Compares the 20 bytes at two places: negative, zero or positive. */
export function compareObjectIds(a: Uint8Array, aOffset: number, b: Uint8Array, bOffset: number): number {
  for (let i = 0; i < objectIdBytes; i++) {
    const difference = (a[aOffset + i] as number) - (b[bOffset + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
