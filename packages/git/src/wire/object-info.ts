import { objectIdAt, objectIdBytes, writeObjectId } from '../object/object-id.ts';
import { lineObjectId, readArguments, unexpectedLine } from './arguments.ts';
import type { PacketReader } from './packet-reader.ts';
import { flushText, packetText } from './pkt-line.ts';
import { encodeUtf8 } from './utf8.ts';

/** Arguments of the command `object-info` (GIT-100). */
export interface ObjectInfoRequest {
  readonly command: 'object-info';
  /** Whether sizes are asked for: all that can be. */
  readonly size: boolean;
  /** The ids, 20 bytes each, in the order asked, repetitions included: a body may hold some 350,000. */
  readonly ids: Uint8Array;
}

/**
 * Reads the arguments of `object-info` up to the flush.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for an unknown argument (GIT-090).
 */
export async function parseObjectInfoRequest(reader: PacketReader): Promise<ObjectInfoRequest> {
  let size = false;
  let ids = new Uint8Array(16 * objectIdBytes);
  let length = 0;
  await readArguments(reader, (line) => {
    if (line === 'size') size = true;
    else if (line.startsWith('oid ')) {
      const oid = lineObjectId(line, 'oid '.length);
      if (length === ids.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(ids);
        ids = larger;
      }
      writeObjectId(oid, ids, length);
      length += objectIdBytes;
    } else throw unexpectedLine(line);
  });
  return { command: 'object-info', size, ids: ids.subarray(0, length) };
}

/** Lines of one piece of the reply. */
const linesAPiece = 256;

/**
 * The reply to `object-info`, piece by piece. `sizeOf` tells the size of the object whose 20 bytes stand at a place;
 * undefined: there is none, or not for this client. Like stock Git this tells nothing but a flush where nothing is
 * asked for, and bare ids without `size`.
 */
export function* writeObjectInfo(
  { size, ids }: ObjectInfoRequest,
  sizeOf: (ids: Uint8Array, at: number) => number | undefined,
): Generator<Uint8Array, void, undefined> {
  let text = size && ids.length > 0 ? packetText('size\n') : '';
  for (let at = 0, lines = 1; at < ids.length; at += objectIdBytes, lines++) {
    text += packetText(`${objectIdAt(ids, at)}${size ? ` ${sizeOf(ids, at) ?? ''}` : ''}\n`);
    if (lines % linesAPiece > 0) continue;
    yield encodeUtf8(text);
    text = '';
  }
  yield encodeUtf8(text + flushText);
}
