/** Packets for tests, written and taken apart without the code under test where that matters. */

import type { PackRequest } from './fetch/pack-request.ts';
import { PacketReader } from './packet-reader.ts';

/** A packet of text, or a flush or delimiter by name. */
export function wireText(...lines: readonly string[]): string {
  return lines.map((line) => named.get(line) ?? pkt(line)).join('');
}

const named: ReadonlyMap<string, string> = new Map([
  ['flush', '0000'],
  ['delim', '0001'],
]);

function pkt(line: string): string {
  return (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;
}

/** A reader over a body that comes in the given pieces. */
export function readerOf(...pieces: readonly (string | Uint8Array)[]): PacketReader {
  return new PacketReader(bodyOf(pieces));
}

/** Cuts a body into pieces at places that are taken modulo its length. */
export function cut(body: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = [0, ...places.map((place) => place % (body.length + 1)), body.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, at) => body.subarray(sorted[at], end));
}

export async function* bodyOf(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
}

/** The packets of a whole body as text in Latin-1, so that every byte shows; `flush` and `delim` by name. */
export function packetsOf(body: Uint8Array): readonly string[] {
  const text = Buffer.from(body).toString('latin1');
  const packets: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = Number.parseInt(text.slice(at, at + 4), 16);
    if (length < 2) packets.push(length === 0 ? 'flush' : 'delim');
    else packets.push(text.slice(at + 4, at + length));
    at += Math.max(length, 4);
  }
  return packets;
}

/** A request with its ids as plain lists. */
export function listed<Request extends PackRequest>(
  request: Request,
): Omit<Request, 'wants' | 'haves' | 'shallow'> & Record<'wants' | 'haves' | 'shallow', readonly string[]> {
  const { wants, haves, shallow } = request;
  return { ...request, wants: [...wants], haves: [...haves], shallow: [...shallow] };
}

/** Returns the payload of the packets of one band, up to a flush. */
export function bandOf(packets: readonly string[], band: 1 | 2 | 3): Buffer {
  const own = packets.filter((packet) => packet.charCodeAt(0) === band);
  return Buffer.from(own.map((packet) => packet.slice(1)).join(''), 'latin1');
}

export async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
