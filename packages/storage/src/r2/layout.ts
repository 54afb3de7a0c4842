import { frameHeader, framePayload } from '../packs/framing.ts';

/** How the bytes of a file lie in its object: in frames, each a header and then payload, the last one shorter. */
export interface Layout {
  readonly header: number;
  readonly payload: number;
}

/** `.pack` files: side-band packets of band 1, so that a whole clone is piped as it lies. */
export const framed: Layout = { header: frameHeader, payload: framePayload };

/** All other files: one frame without a header. */
export const plain: Layout = { header: 0, payload: Number.MAX_SAFE_INTEGER };

/** Where the payload byte `offset` lies in the object. */
export function storedOffset({ header, payload }: Layout, offset: number): number {
  return offset + header * (Math.floor(offset / payload) + 1);
}

/** Bytes of the object for a file of `size` bytes. */
export function storedSize({ header, payload }: Layout, size: number): number {
  return size + header * Math.ceil(size / payload);
}

/** Bytes of the file in an object of `size` bytes. */
export function payloadSize({ header, payload }: Layout, size: number): number {
  return size - header * Math.ceil(size / (header + payload));
}

/** A stretch of payload within some stored bytes. */
export interface Stretch {
  /** In the file. */
  readonly offset: number;
  /** In the stored bytes given. */
  readonly at: number;
  readonly length: number;
}

/** The payload among `length` bytes that lie in the object from `start` on, in order. */
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
