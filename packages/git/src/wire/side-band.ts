/**
 * Side-bands (gitprotocol-pack(5), "Packfile Data"): band 1 carries the payload, band 2 progress for the user, band 3 the
 * one message after which everything ends.
 */

import { lengthDigits, packetMax, writeLength } from './pkt-line.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';

/** How a reply is multiplexed (GIT-069). */
export type SideBand = 'none' | 'side-band' | 'side-band-64k';

/** 1 payload, 2 progress, 3 fatal error. */
export type Band = 1 | 2 | 3;

/** Most bytes of one packet, digits and band byte included (GIT-069). */
const packetMaxOf: Readonly<Record<Exclude<SideBand, 'none'>, number>> = {
  'side-band': 1000,
  'side-band-64k': packetMax,
};

const headerSize = lengthDigits + 1;

/**
 * An empty packet that keeps a silent connection alive (GIT-070, GIT-113), band 1; with `sideband-all` it is band 2
 * (GIT-099). A new array each time, since a stream may take its buffer away.
 */
export function keepAlivePacket(band: 1 | 2 = 1): Uint8Array {
  return Uint8Array.of(48, 48, 48, 53, band);
}

/**
 * `payload` in packets of one band. Without side-bands there is only the payload itself: band 1 comes back as it is,
 * what was for the other bands is dropped.
 */
export function encodeBand(band: Band, payload: Uint8Array | string, sideBand: SideBand): Uint8Array {
  const bytes = typeof payload === 'string' ? encodeUtf8(payload) : payload;
  if (sideBand === 'none') return band === 1 ? bytes : new Uint8Array(0);
  const most = packetMaxOf[sideBand] - headerSize;
  const packets = Math.ceil(bytes.length / most);
  const target = new Uint8Array(bytes.length + packets * headerSize);
  let at = 0;
  for (let from = 0; from < bytes.length; from += most) {
    const size = Math.min(most, bytes.length - from);
    writeHeader(size, band, target, at);
    target.set(bytes.subarray(from, from + size), at + headerSize);
    at += headerSize + size;
  }
  return target;
}

/**
 * Bytes of the buffers that {@link BandFramer} fills, in the end: 8 of the largest packets, which is what sockets like to
 * get. The first buffer is one packet, as most replies are small and all should start soon.
 */
const bufferSize = 8 * packetMax;

/**
 * Puts a long payload, such as a pack, into packets of band 1. The bytes are copied once, to where they leave from:
 * buffers of many packets with the headers in place. Small pieces share packets.
 */
export class BandFramer {
  readonly #packetMax: number;
  readonly #plain: boolean;
  #buffer = new Uint8Array(0);
  /** Position of the open packet's header; -1 without one. */
  #header = -1;
  #at = 0;
  #nextSize = packetMax;
  readonly #handover: { readonly isLent: boolean };

  /**
   * With `isLent`, a buffer that was handed over is free again when the next one is asked for, so one is enough. Default:
   * they are valid for good.
   */
  constructor(sideBand: SideBand, handover: { readonly isLent: boolean } = { isLent: false }) {
    this.#handover = handover;
    this.#plain = sideBand === 'none';
    this.#packetMax = sideBand === 'none' ? 0 : packetMaxOf[sideBand];
  }

  /** Takes a piece of the payload, which is only lent, and yields the buffers that it filled. Without side-bands its bytes. */
  *add(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
    if (this.#plain) {
      if (bytes.length > 0) yield this.#handover.isLent ? bytes : bytes.slice();
      return;
    }
    let from = 0;
    while (from < bytes.length) {
      if (this.#header < 0) {
        // A buffer must hold a header and at least one byte more.
        if (this.#buffer.length - this.#at <= headerSize) {
          if (this.#at > 0) yield this.#handOver();
          if (this.#buffer.length === 0) {
            this.#buffer = new Uint8Array(this.#nextSize);
            this.#nextSize = bufferSize;
          }
        }
        this.#header = this.#at;
        this.#at += headerSize;
      }
      const end = Math.min(this.#header + this.#packetMax, this.#buffer.length);
      const size = Math.min(end - this.#at, bytes.length - from);
      this.#buffer.set(bytes.subarray(from, from + size), this.#at);
      this.#at += size;
      from += size;
      if (this.#at === end) this.#close();
    }
  }

  /** Returns the bytes added since the last call, closing the last packet short; `undefined` without any. */
  take(): Uint8Array | undefined {
    this.#close();
    return this.#at === 0 ? undefined : this.#handOver();
  }

  #close(): void {
    if (this.#header < 0) return;
    writeHeader(this.#at - this.#header - headerSize, 1, this.#buffer, this.#header);
    this.#header = -1;
  }

  #handOver(): Uint8Array {
    const filled = this.#buffer.subarray(0, this.#at);
    if (!this.#handover.isLent || this.#buffer.length < this.#nextSize) this.#buffer = new Uint8Array(0);
    this.#at = 0;
    return filled;
  }
}

/**
 * The payload in band 1, in buffers of about half a megabyte; the flush that ends a reply is the caller's. Pieces of the
 * payload need to be valid only until the next one is asked for; `handover` as for {@link BandFramer}.
 */
export async function* frameBand(
  payload: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sideBand: SideBand,
  handover?: { readonly isLent: boolean },
): AsyncGenerator<Uint8Array, void, undefined> {
  const framer = new BandFramer(sideBand, handover);
  for await (const piece of payload) yield* framer.add(piece);
  const last = framer.take();
  if (last !== undefined) yield last;
}

function writeHeader(size: number, band: Band, target: Uint8Array, at: number): void {
  writeLength(size + headerSize, target, at);
  target[at + lengthDigits] = band;
}
