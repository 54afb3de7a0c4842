import { IncomingMessage } from 'node:http';

/** Bytes. Chunks below this size are gathered. */
const smallChunk = 1024;
/** Number of small chunks, and their bytes, that are joined at a time. */
const chunksMax = 256;
const bytesMax = 16 * 1024;
/** A connection that sends this many small chunks in one pass of the event loop waits in line. */
const patientChunks = 1024;

/** Requests that wait in line. Each pass of the event loop resumes one of them. */
const line = new Set<() => void>();

function goOn(): void {
  const [first] = line;
  if (first === undefined) return;
  line.delete(first);
  first();
  if (line.size > 0) setImmediate(goOn);
}

/**
 * A request that joins small chunks of its body. A client may send its body a byte at a time, with six bytes on the
 * wire for each. Node holds 65,536 such chunks, about 20 MB, before it pauses a socket, and each chunk costs as much as
 * a large one. Such connections are read one after the other.
 */
export class GatheringMessage extends IncomingMessage {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Number of small chunks in this pass of the event loop. */
  #count = 0;

  /** Node's parser calls this with each chunk of the body, and with null at its end. False pauses the socket. */
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
