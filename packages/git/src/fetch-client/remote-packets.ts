import { printable } from '../wire/capabilities.ts';
import { PacketReader } from '../wire/packet-reader.ts';
import { lineText, type Packet } from '../wire/pkt-line.ts';
import { MalformedRequestError, RequestTooLargeError } from '../wire/request-error.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { RemoteError } from './remote-error.ts';

/** The packets of a reply. Errors of the body itself pass through. */
export class RemotePackets {
  readonly #reader: PacketReader;
  readonly #work: Work;
  #isOver = false;

  /** `limit`: most bytes that the reply may have. `work` counts the lines. */
  constructor(body: AsyncIterable<Uint8Array>, work: Work, limit: number = Infinity) {
    this.#reader = new PacketReader(this.#watched(body), limit);
    this.#work = work;
  }

  /**
   * The next packet.
   *
   * @throws {RemoteError} `broken off`, `malformed` or `too large`.
   */
  async next(): Promise<Packet> {
    try {
      const packet = this.#reader.buffered() ?? (await this.#reader.read());
      if (packet !== undefined) return packet;
    } catch (error) {
      throw this.#explained(error);
    }
    throw new RemoteError('broken off', 'a reply ended where it had to go on');
  }

  /**
   * The next packet where lines stand: what begins with `ERR ` is what the remote says instead of a reply.
   *
   * @throws {RemoteError} as `next` does, and `refused`.
   */
  async line(): Promise<Packet> {
    if (this.#work.spend(cost.steps)) await this.#work.yield();
    const packet = await this.next();
    if (packet.kind === 'data' && startsWithError(packet.bytes)) throw refused(lineText(packet.bytes.subarray(4)));
    return packet;
  }

  /** Returns the bytes after the packets read so far, as a stream. */
  rest(): AsyncIterable<Uint8Array> {
    return this.#reader.rest();
  }

  /** Stops reading the reply, without reading the rest. */
  close(): Promise<void> {
    return this.#reader.cancel();
  }

  #explained(error: unknown): unknown {
    if (error instanceof RequestTooLargeError) {
      return new RemoteError('too large', `a reply has more than ${error.limit} bytes`);
    }
    if (!(error instanceof MalformedRequestError)) return error;
    if (this.#isOver) return new RemoteError('broken off', 'a reply ended inside a packet');
    return malformed(error.reason);
  }

  async *#watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    yield* body;
    this.#isOver = true;
  }
}

/** Error for a remote that refuses, with the message of the remote. */
export function refused(words: string): RemoteError {
  return new RemoteError('refused', `the remote refused: ${printable(words)}`);
}

/** `ERR ` */
function startsWithError(bytes: Uint8Array): boolean {
  return bytes[0] === 69 && bytes[1] === 82 && bytes[2] === 82 && bytes[3] === 32;
}

/** Error for a remote that does not follow the protocol; `what` contains no text from the remote. */
export function malformed(what: string): RemoteError {
  return new RemoteError('malformed', `the remote broke the protocol: ${what}`);
}
