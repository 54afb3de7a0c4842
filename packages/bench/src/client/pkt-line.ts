/** A packet of the pkt-line format: data, or one of the special packets (gitprotocol-common(5), gitprotocol-v2(5)). */
export type Packet = Buffer | 'flush' | 'delim' | 'response-end';

const special: Record<number, Packet> = { 0: 'flush', 1: 'delim', 2: 'response-end' };

/** Encodes one data packet. */
export const pkt = (data: string): string => (Buffer.byteLength(data) + 4).toString(16).padStart(4, '0') + data;
export const flushPkt = '0000';
export const delimPkt = '0001';

/**
 * Splits a stream of arbitrary chunks into packets. A data packet inside one chunk is a view into it, so that the
 * client costs as little as possible. Throws if a length is not four hexadecimal digits or is 3.
 */
export class PacketCutter {
  #rest: Buffer = Buffer.alloc(0);
  readonly #take: (packet: Packet) => void;

  constructor(take: (packet: Packet) => void) {
    this.#take = take;
  }

  feed(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + 4 <= bytes.length) {
      const digits = bytes.toString('latin1', at, at + 4);
      const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 3;
      if (length === 3) throw new Error(`Not a packet: ${JSON.stringify(digits)}`);
      const marker = special[length];
      if (marker !== undefined) {
        this.#take(marker);
        at += 4;
      } else {
        if (at + length > bytes.length) break;
        this.#take(bytes.subarray(at + 4, at + length));
        at += length;
      }
    }
    this.#rest = bytes.subarray(at);
  }

  /** Throws if the stream ended inside a packet. */
  end(): void {
    if (this.#rest.length > 0) throw new Error('The reply ends inside a packet');
  }
}
