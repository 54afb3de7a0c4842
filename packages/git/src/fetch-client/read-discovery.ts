import { parseObjectId, type ObjectId } from '../object/object-id.ts';
import { addCapability, objectFormat, parseCapabilities, printable, type Capabilities } from '../wire/capabilities.ts';
import { lineText, withoutLf, type Packet } from '../wire/pkt-line.ts';
import { decodeLossy } from '../bytes/utf8.ts';
import { RemoteError } from './remote-error.ts';
import { malformed, type RemotePackets } from './remote-packets.ts';
import { RefGatherer, type RemoteRefs, type TryKeep } from './remote-refs.ts';

/** Result of discovery. In version 2 a later request lists the refs. */
export type Discovery =
  | { readonly version: 2; readonly capabilities: Capabilities }
  | {
      readonly version: 0 | 1;
      readonly capabilities: Capabilities;
      readonly refs: RemoteRefs;
      /** Commits whose parents the remote itself does not have. */
      readonly shallow: readonly ObjectId[];
    };

/** Far more capabilities than exist. */
const capabilitiesMax = 1_000;
/** Memory in bytes for one `shallow` line, in a list and in a set. */
const keptPerShallow = 128;

/**
 * Reads the reply to `info/refs` in any version.
 *
 * @throws {RemoteError} `broken off`, `malformed`, `refused`, `object format` or `too large`.
 */
export async function readDiscovery(packets: RemotePackets, tryKeep: TryKeep): Promise<Discovery> {
  let packet = await packets.line();
  // In version 2 stock git leaves the line of the service out.
  if (textOf(packet) === '# service=git-upload-pack') {
    if ((await packets.line()).kind !== 'flush') throw malformed('no flush after the service');
    packet = await packets.line();
  }
  const first = textOf(packet);
  if (first === 'version 2') return { version: 2, capabilities: await readCapabilities(packets) };
  if (first === 'version 1') return readRefs(packets, await packets.line(), 1, tryKeep);
  if (first?.startsWith('version ') === true) throw malformed('a version that was not asked for');
  return readRefs(packets, packet, 0, tryKeep);
}

/** An id from the list. Throws if the id shows that the remote has another object format. */
export function requireObjectId(text: string): ObjectId {
  const oid = parseObjectId(text);
  if (oid !== undefined) return oid;
  if (/^[0-9a-f]{64}$/.test(text)) throw otherFormat('sha256');
  throw malformed('expected an object id');
}

async function readCapabilities(packets: RemotePackets): Promise<Capabilities> {
  const capabilities = new Map<string, string>();
  for (;;) {
    const packet = await packets.line();
    if (packet.kind === 'flush') break;
    if (packet.kind === 'delim') throw malformed('a delimiter among capabilities');
    addCapability(capabilities, lineText(packet.bytes));
    if (capabilities.size > capabilitiesMax) throw malformed('too many capabilities');
  }
  requireFormat(capabilities);
  return capabilities;
}

async function readRefs(packets: RemotePackets, first: Packet, version: 0 | 1, tryKeep: TryKeep): Promise<Discovery> {
  const gatherer = new RefGatherer(tryKeep);
  const shallow: ObjectId[] = [];
  let capabilities: Capabilities = new Map();
  for (let packet = first; packet.kind !== 'flush'; packet = await packets.line()) {
    if (packet.kind === 'delim') throw malformed('a delimiter among refs');
    const { bytes } = packet;
    const zero = packet === first ? bytes.indexOf(0) : -1;
    const line = zero < 0 ? withoutLf(bytes) : bytes.subarray(0, zero);
    if (zero >= 0) {
      const list = decodeLossy(withoutLf(bytes.subarray(zero + 1)));
      capabilities = parseCapabilities(list);
      requireFormat(capabilities);
      // Other symrefs may come before that of HEAD.
      const symref = list.split(' ').find((word) => word.startsWith('symref=HEAD:'));
      if (symref !== undefined) gatherer.setHead(symref.slice('symref=HEAD:'.length));
    }
    const space = line.indexOf(32);
    const word = decodeLossy(line.subarray(0, Math.max(space, 0)));
    if (word === 'shallow') {
      if (!tryKeep(keptPerShallow)) throw new RemoteError('too large', 'there is no memory for shallow lines');
      shallow.push(requireObjectId(decodeLossy(line.subarray(space + 1))));
    } else {
      gatherer.add(line.subarray(space + 1), requireObjectId(word));
    }
  }
  return { version, capabilities, refs: gatherer.done(), shallow };
}

function requireFormat(capabilities: Capabilities): void {
  const format = capabilities.get('object-format');
  if (format !== undefined && format !== objectFormat) throw otherFormat(format);
}

function otherFormat(name: string): RemoteError {
  return new RemoteError('object format', `the remote has the object format ${printable(name)}`);
}

function textOf(packet: Packet): string | undefined {
  return packet.kind === 'data' ? lineText(packet.bytes) : undefined;
}
