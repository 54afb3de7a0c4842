/** Side-band-64k packets of band 1 (gitprotocol-common(5), GIT-069), in the form of `PackStore.framed`. */

/** Payload bytes of a full packet: 65,520 without length and band byte. */
export const framePayload = 65_515;

/** Four digits of length and the band byte. */
export const frameHeader = 5;

const hexDigits = '0123456789abcdef';

/** Writes the header of a packet with `payload` bytes into `target` at `offset`. */
export function writeFrameHeader(target: Uint8Array, offset: number, payload: number): void {
  const length = payload + frameHeader;
  for (let i = 0; i < 4; i++) target[offset + i] = hexDigits.charCodeAt((length >> (12 - 4 * i)) & 15);
  target[offset + 4] = 1;
}

/** Packets in one buffer. */
export interface Frames {
  /** Views of the payloads, in order. */
  readonly payloads: readonly Uint8Array[];
  /** The whole, with headers and payloads. */
  readonly bytes: Uint8Array;
}

/** Lays out packets for `payload` bytes in `buffer`. Writes the headers; the caller fills the payloads. */
export function layFrames(buffer: Uint8Array, payload: number): Frames {
  const payloads: Uint8Array[] = [];
  let at = 0;
  for (let left = payload; left > 0; left -= framePayload) {
    const size = Math.min(left, framePayload);
    writeFrameHeader(buffer, at, size);
    payloads.push(buffer.subarray(at + frameHeader, at + frameHeader + size));
    at += frameHeader + size;
  }
  return { payloads, bytes: buffer.subarray(0, at) };
}

/** Returns the payload bytes of the full packets that fit into `size` bytes. */
export function payloadRoom(size: number): number {
  return Math.floor(size / (framePayload + frameHeader)) * framePayload;
}
