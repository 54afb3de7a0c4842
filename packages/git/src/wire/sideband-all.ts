/** `sideband-all` (GIT-099): every packet of a reply but flush and delim carries a band byte. */

import { encodeErrorPacket, lengthDigits, packetMax, readLength, writeLength } from './pkt-line.ts';
import { encodeBand } from './side-band.ts';

/**
 * Adds the byte of band 1 in front of the payload of each data packet. Not for packets of a pack, which have a band
 * byte already.
 *
 * @throws {RangeError} for a packet without space for one more byte.
 */
export function bandPackets(packets: Uint8Array): Uint8Array {
  const target = new Uint8Array(packets.length + countData(packets));
  let to = 0;
  for (let at = 0; at < packets.length;) {
    const length = readLength(packets, at);
    if (length < lengthDigits) {
      target.set(packets.subarray(at, at + lengthDigits), to);
      at += lengthDigits;
      to += lengthDigits;
      continue;
    }
    if (length === packetMax) throw new RangeError('A packet has no room for its band');
    writeLength(length + 1, target, to);
    target[to + lengthDigits] = 1;
    target.set(packets.subarray(at + lengthDigits, at + length), to + lengthDigits + 1);
    at += length;
    to += length + 1;
  }
  return target;
}

/** The whole reply to a request that is refused (GIT-017): `ERR <text>`, or band 3 with `sideband-all`. */
export function encodeRefusal(text: string, sidebandAll: boolean): Uint8Array {
  return sidebandAll ? encodeBand(3, text, 'side-band-64k') : encodeErrorPacket(text);
}

function countData(packets: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < packets.length;) {
    const length = readLength(packets, at);
    if (length >= lengthDigits) count++;
    at += Math.max(length, lengthDigits);
  }
  return count;
}
