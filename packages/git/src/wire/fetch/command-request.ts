import { framingFirst } from '../arguments.ts';
import { addCapability, printable, refuseOtherObjectFormat } from '../capabilities.ts';
import type { FeatureSet } from '../features.ts';
import { parseFetchRequest, type FetchRequest } from './fetch-request.ts';
import { parseLsRefsRequest, type LsRefsRequest } from './ls-refs.ts';
import { parseObjectInfoRequest, type ObjectInfoRequest } from './object-info.ts';
import { PacketReader } from '../packet-reader.ts';
import { flushPacket, lineText } from '../pkt-line.ts';
import { MalformedRequestError, RequestRefusedError } from '../request-error.ts';

/** A request of version 2. */
export type CommandRequest = LsRefsRequest | FetchRequest | ObjectInfoRequest;

/** Lines before the arguments that a client may send, as they were advertised (GIT-048). */
const clientCapabilities: ReadonlySet<string> = new Set(['agent', 'object-format', 'session-id']);

/**
 * Reads a request of version 2 (gitprotocol-v2(5)). A lone flush asks for nothing: `undefined`, an empty reply.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for an unknown command, capability or argument (GIT-048, GIT-050, GIT-090).
 * @throws {RequestTooLargeError} above the reader's limit.
 */
export function parseCommandRequest(reader: PacketReader, features: FeatureSet): Promise<CommandRequest | undefined> {
  let isFetch = false;
  const framing = { delimiters: true, knowsSidebandAll: () => isFetch && features.has('sideband-all') };
  return framingFirst(reader, framing, async () => {
    const header = await readHeader(reader, (command) => (isFetch = command === 'fetch'));
    if (header === undefined) return undefined;
    const { command } = header;
    // Without a delimiter there are no arguments, and the flush was already read.
    const source = header.more ? reader : noArguments();
    if (command === 'ls-refs') return parseLsRefsRequest(source);
    if (command === 'fetch') return parseFetchRequest(source, features);
    if (command === 'object-info' && features.has('object-info')) return parseObjectInfoRequest(source);
    throw new RequestRefusedError(
      command === undefined ? 'no command requested' : `unknown command '${printable(command)}'`,
    );
  });
}

async function readHeader(
  reader: PacketReader,
  heard: (command: string) => void,
): Promise<{ command: string | undefined; more: boolean } | undefined> {
  const capabilities = new Map<string, string>();
  let command: string | undefined;
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush');
    if (packet.kind !== 'data') {
      if (packet.kind === 'flush' && command === undefined && capabilities.size === 0) return undefined;
      refuseOtherObjectFormat(capabilities);
      return { command, more: packet.kind === 'delim' };
    }
    const line = lineText(packet.bytes);
    if (line.startsWith('command=')) {
      if (command !== undefined) throw new RequestRefusedError('more than one command requested');
      command = line.slice('command='.length);
      heard(command);
      continue;
    }
    const name = line.split('=', 1)[0] as string;
    if (!clientCapabilities.has(name)) throw new RequestRefusedError(`unknown capability '${printable(name)}'`);
    addCapability(capabilities, line);
  }
}

function noArguments(): PacketReader {
  return new PacketReader(
    (async function* () {
      yield flushPacket();
    })(),
  );
}
