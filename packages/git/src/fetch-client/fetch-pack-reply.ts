import type { ObjectId } from '../object/object-id.ts';
import { lineText } from '../wire/pkt-line.ts';
import type { SideBand } from '../wire/side-band.ts';
import { requireObjectId } from './read-discovery.ts';
import { RemoteError } from './remote-error.ts';
import { malformed, refused, type RemotePackets } from './remote-packets.ts';
import type { TryKeep } from './remote-refs.ts';

/** A pack that is being received. */
export interface FetchedPack {
  /** Commits at which the remote cuts off the history. */
  readonly shallow: readonly ObjectId[];
  /** Its bytes. Fails with a {@link RemoteError} unless it comes to an end in the way of the protocol. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Memory in bytes for one line about a boundary, in a list and in a set. */
const keptPerShallow = 128;

/**
 * Reads the reply to `fetch` of version 2 up to its pack.
 *
 * @throws {RemoteError} `broken off`, `malformed`, `refused`, `object format` or `too large`.
 */
export async function readFetchReply(packets: RemotePackets, tryKeep: TryKeep): Promise<FetchedPack> {
  const shallow: ObjectId[] = [];
  for (;;) {
    const section = await lineOf(packets);
    if (section === 'packfile') return { shallow, bytes: demultiplex(packets) };
    if (section !== 'shallow-info') throw malformed('a section that was not asked for');
    if ((await readShallow(packets, shallow, tryKeep)) !== 'delim') throw malformed('a reply without a pack');
  }
}

/**
 * Reads the reply of versions 0 and 1 up to its pack. `isDeepened`: whether a depth was asked for.
 *
 * @throws {RemoteError} as {@link readFetchReply} does.
 */
export async function readUploadReply(
  packets: RemotePackets,
  sideBand: SideBand,
  isDeepened: boolean,
  tryKeep: TryKeep,
): Promise<FetchedPack> {
  const shallow: ObjectId[] = [];
  if (isDeepened && (await readShallow(packets, shallow, tryKeep)) !== 'flush') {
    throw malformed('a delimiter outside version 2');
  }
  if ((await lineOf(packets)) !== 'NAK') throw malformed('no NAK for who has nothing');
  return { shallow, bytes: sideBand === 'none' ? packets.rest() : demultiplex(packets) };
}

/** Reads the lines about a boundary, including the packet that ends them. */
async function readShallow(packets: RemotePackets, shallow: ObjectId[], tryKeep: TryKeep): Promise<'flush' | 'delim'> {
  for (;;) {
    const packet = await packets.line();
    if (packet.kind !== 'data') return packet.kind;
    const text = lineText(packet.bytes);
    // This side has no history that an `unshallow` line could extend.
    if (!text.startsWith('shallow ')) throw malformed('expected a shallow line');
    if (!tryKeep(keptPerShallow)) throw new RemoteError('too large', 'there is no memory for the boundary');
    shallow.push(requireObjectId(text.slice('shallow '.length)));
  }
}

async function lineOf(packets: RemotePackets): Promise<string> {
  const packet = await packets.line();
  if (packet.kind !== 'data') throw malformed(`a ${packet.kind} packet instead of a pack`);
  return lineText(packet.bytes);
}

/** Band 1 up to the flush, without copying. What band 3 says ends it. */
async function* demultiplex(packets: RemotePackets): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const packet = await packets.next();
    if (packet.kind === 'flush') return;
    if (packet.kind === 'delim') throw malformed('a delimiter in a pack');
    const band = packet.bytes[0];
    if (band === 3) throw refused(lineText(packet.bytes.subarray(1)));
    if (band !== 1 && band !== 2) throw malformed('no such band');
    if (band === 1 && packet.bytes.length > 1) yield packet.bytes.subarray(1);
  }
}
