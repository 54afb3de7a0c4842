/**
 * The packets that everything but packs travels in (gitprotocol-common(5)). Replies of many lines are put together as
 * one text and encoded once, which for 10,000 refs is many times faster than a buffer a line.
 */

import { decodeLossy, encodeUtf8, utf8Length } from '../bytes/utf8.ts';

/** Most bytes of one packet, its 4 length digits included. */
export const packetMax = 65_520;

/** Digits of the length at the start of a packet. */
export const lengthDigits = 4;

/** A packet that was read. */
export type Packet =
  /** `bytes` is a view of what came in: it stays valid and must not be changed. */
  { readonly kind: 'data'; readonly bytes: Uint8Array } | { readonly kind: 'flush' } | { readonly kind: 'delim' };

/** The flush packet as text, for building replies. */
export const flushText = '0000';

/** The delimiter packet (version 2 only) as text. */
export const delimText = '0001';

/** The flush packet. A new array each time, since a stream may take its buffer away. */
export function flushPacket(): Uint8Array {
  return encodeUtf8(flushText);
}

/** One data packet, as text. `text` brings its own LF and at most 65,516 bytes. */
export function packetText(text: string): string {
  return lengthText(utf8Length(text) + lengthDigits) + text;
}

/** One data packet. `payload` has at most 65,516 bytes. */
export function encodePacket(payload: Uint8Array): Uint8Array {
  const packet = new Uint8Array(payload.length + lengthDigits);
  writeLength(packet.length, packet, 0);
  packet.set(payload, lengthDigits);
  return packet;
}

/** The packet `ERR <text>`, after which a reply ends (GIT-017). As in Git, it has no LF at its end. */
export function encodeErrorPacket(text: string): Uint8Array {
  return encodeUtf8(packetText(`ERR ${text}`));
}

/** Writes the four digits of a packet's whole length at `offset`. */
export function writeLength(length: number, target: Uint8Array, offset: number): void {
  for (let i = 0; i < lengthDigits; i++) {
    const digit = (length >> (12 - 4 * i)) & 15;
    target[offset + i] = digit < 10 ? 48 + digit : 87 + digit;
  }
}

/** Reads the four length digits of a packet that this code wrote: 0 for a flush, 1 for a delimiter. */
export function readLength(source: Uint8Array, offset: number): number {
  let length = 0;
  for (let i = offset; i < offset + lengthDigits; i++) {
    const code = source[i] as number;
    length = length * 16 + (code < 58 ? code - 48 : code - 87);
  }
  return length;
}

/** The text of a packet without the one LF that may end it. What is not UTF-8 comes out as U+FFFD. */
export function lineText(bytes: Uint8Array): string {
  return decodeLossy(withoutLf(bytes));
}

/** The bytes of a packet without the one LF that may end it. */
export function withoutLf(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}

function lengthText(length: number): string {
  return length < packetMax + 1 ? (lengths[length] as string) : oversized(length);
}

function oversized(length: number): never {
  throw new RangeError(`A packet of ${length} bytes does not exist`);
}

/**
 * All possible lengths, made when the module is first used: formatting a number for each line costs more than the line.
 */
const lengths: readonly string[] = Array.from({ length: packetMax + 1 }, (_, length) =>
  length.toString(16).padStart(4, '0'),
);
