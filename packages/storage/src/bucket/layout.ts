import { frameHeader, framePayload } from '../packs/framing.ts';

/** Layout of a file in its object: frames of a header and payload; the last one is shorter. */
export interface Layout {
  readonly header: number;
  readonly payload: number;
}

/** Layout of `.pack` files: side-band packets of band 1, so that a whole clone is piped as stored. */
export const framed: Layout = { header: frameHeader, payload: framePayload };

/** Layout of all other files: one frame without a header. */
export const plain: Layout = { header: 0, payload: Number.MAX_SAFE_INTEGER };

/** Returns the offset in the object of the payload byte `offset`. */
export function storedOffset({ header, payload }: Layout, offset: number): number {
  return offset + header * (Math.floor(offset / payload) + 1);
}

/** Returns the object size of a file of `size` bytes. */
export function storedSize({ header, payload }: Layout, size: number): number {
  return size + header * Math.ceil(size / payload);
}

/** Returns the file size in an object of `size` bytes. */
export function payloadSize({ header, payload }: Layout, size: number): number {
  return size - header * Math.ceil(size / (header + payload));
}

/** A run of payload within some stored bytes. */
export interface Stretch {
  /** Offset in the file. */
  readonly offset: number;
  /** Offset in the given stored bytes. */
  readonly at: number;
  readonly length: number;
}

/** Yields the payload runs among `length` stored bytes that begin at `start` in the object. */
export function* stretches({ header, payload }: Layout, start: number, length: number): Generator<Stretch, void> {
  const frame = header + payload;
  for (let at = 0; at < length;) {
    const number = Math.floor((start + at) / frame);
    const inFrame = start + at - number * frame;
    if (inFrame < header) {
      at += header - inFrame;
      continue;
    }
    const size = Math.min(frame - inFrame, length - at);
    yield { offset: number * payload + inFrame - header, at, length: size };
    at += size;
  }
}
