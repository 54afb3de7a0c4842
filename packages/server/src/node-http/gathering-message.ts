import { IncomingMessage } from 'node:http';

/** Chunks below this size are gathered. */
const smallChunk = 1024;
/** Small chunks, and bytes of them, that are joined at a time. */
const chunksMax = 256;
const bytesMax = 16 * 1024;
/** Small chunks of one pass of the event loop from which on a connection waits in line. */
const patientChunks = 1024;

/** Requests that wait in line: one of them goes on in each pass of the event loop. */
const line = new Set<() => void>();

function goOn(): void {
  const [first] = line;
  if (first === undefined) return;
  line.delete(first);
  first();
  if (line.size > 0) setImmediate(goOn);
}

/**
 * A request that passes on small chunks together. A client may send its body a byte at a time, six bytes of the wire for
 * each. Node holds 65,536 such chunks before it pauses a socket, which takes some 20 MB, and each chunk costs as much as
 * a large one. Connections that do so are read one after the other.
 */
export class GatheringMessage extends IncomingMessage {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Chunks since they were passed on last. */
  #count = 0;

  /** Called by Node's parser with each chunk of the body, and with null at its end. False: the socket is paused. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null || chunk.length >= smallChunk) {
      this.#passOn();
      return super.push(chunk);
    }
    if (this.#count++ === 0) setImmediate(() => this.#endPass());
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const isPatient = this.#count >= patientChunks;
    if (this.#chunks.length >= chunksMax || (!isPatient && this.#bytes >= bytesMax)) {
      if (isPatient) this.#join();
      else this.#passOn();
    }
    return !isPatient && this.readableLength + this.#bytes < this.readableHighWaterMark;
  }

  #endPass(): void {
    if (this.#count < patientChunks) this.#passOn();
    else {
      if (line.size === 0) setImmediate(goOn);
      line.add(() => this.#passOn());
    }
    this.#count = 0;
  }

  #passOn(): void {
    this.#join();
    const [whole] = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    if (whole !== undefined) super.push(whole);
  }

  #join(): void {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
  }
}
