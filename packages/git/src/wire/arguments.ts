import { printable, unsupportedObjectFormat } from './capabilities.ts';
import { parseObjectId, type ObjectId } from '../object/object-id.ts';
import type { PacketReader } from './packet-reader.ts';
import { lineText } from './pkt-line.ts';
import { MalformedRequestError, refusedInBand, RequestRefusedError } from './request-error.ts';

/**
 * Reads the arguments of a version 2 command up to the flush that ends the request.
 *
 * @throws {MalformedRequestError} GIT-016.
 */
export async function readArguments(reader: PacketReader, take: (line: string) => void): Promise<void> {
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush');
    if (packet.kind === 'flush') return;
    if (packet.kind === 'delim') throw new MalformedRequestError('a second delimiter');
    take(lineText(packet.bytes));
  }
}

/** Memory in bytes for the name in a line while the request is handled. */
export function keptPerName(line: string): number {
  return 48 + 2 * line.length;
}

/** Makes the error for an argument that is unknown, or belongs to a feature that was not advertised (GIT-090). */
export function unexpectedLine(line: string): RequestRefusedError {
  return new RequestRefusedError(`unexpected line: '${printable(line)}'`);
}

const sha256Id = /^[0-9a-f]{64}$/;

/**
 * Parses the object id at the end of a line, from `start` on.
 *
 * @throws {RequestRefusedError} if it is invalid; with a special text for an id of the other object format (GIT-050).
 */
export function lineObjectId(
  line: string,
  start: number,
  refusal: (line: string) => RequestRefusedError = unexpectedLine,
): ObjectId {
  const text = line.slice(start);
  const oid = parseObjectId(text);
  if (oid !== undefined) return oid;
  throw sha256Id.test(text) ? new RequestRefusedError(unsupportedObjectFormat('sha256')) : refusal(line);
}

/** The argument of `fetch` that asks for bands in all of the reply (GIT-099). */
export const sidebandAllWord = 'sideband-all';

/** Framing of the packets of a request. */
export interface Framing {
  /** A delimiter is framing of version 2 alone. */
  readonly delimiters: boolean;
  /** Tests if {@link sidebandAllWord} has a meaning in the part read so far. */
  readonly knowsSidebandAll: () => boolean;
}

/**
 * Runs a parser of a body that has only packets. If it refuses the request, reads the rest for its framing first
 * (GIT-008: broken framing takes precedence), and for the client's choice of band (GIT-017).
 */
export async function framingFirst<T>(reader: PacketReader, framing: Framing, parse: () => Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    throw (await drain(reader, framing)) ? refusedInBand(error) : error;
  }
}

/** Reads the rest; returns whether it asks for side-bands. */
async function drain(reader: PacketReader, { delimiters, knowsSidebandAll }: Framing): Promise<boolean> {
  const looks = knowsSidebandAll();
  let found = false;
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) return found;
    if (packet.kind === 'delim' && !delimiters) throw new MalformedRequestError('a delimiter outside version 2');
    if (packet.kind === 'data' && looks) found ||= lineText(packet.bytes) === sidebandAllWord;
  }
}
