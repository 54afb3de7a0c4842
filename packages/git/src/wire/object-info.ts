import { objectIdAt, objectIdBytes } from '../object/object-id.ts';
import { lineObjectId, readArguments, unexpectedLine } from './arguments.ts';
import { IdList } from './id-list.ts';
import type { PacketReader } from './packet-reader.ts';
import { flushText, packetText } from './pkt-line.ts';
import { encodeUtf8 } from './utf8.ts';

/** Arguments of the command `object-info` (GIT-100). */
export interface ObjectInfoRequest {
  readonly command: 'object-info';
  /** Whether sizes are asked for: all that can be. */
  readonly size: boolean;
  /** In the order asked, repetitions included. */
  readonly ids: IdList;
}

/**
 * Reads the arguments of `object-info` up to the flush.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for an unknown argument (GIT-090).
 */
export async function parseObjectInfoRequest(reader: PacketReader): Promise<ObjectInfoRequest> {
  let size = false;
  const ids = new IdList(reader.keep);
  await readArguments(reader, (line) => {
    if (line === 'size') size = true;
    else if (line.startsWith('oid ')) ids.add(lineObjectId(line, 'oid '.length));
    else throw unexpectedLine(line);
  });
  return { command: 'object-info', size, ids };
}

/** Lines of one piece of the reply. */
export const linesAPiece = 256;

/**
 * The reply to `object-info`, piece by piece. `sizeOf` tells the size of the object whose 20 bytes stand at a place;
 * undefined: there is none, or not for this client. Like stock Git this tells nothing but a flush where nothing is
 * asked for, and bare ids without `size`; and no line of it ends in LF.
 */
export function* writeObjectInfo(
  { size, ids }: ObjectInfoRequest,
  sizeOf: (ids: Uint8Array, at: number) => number | undefined,
): Generator<Uint8Array, void, undefined> {
  let text = size && ids.length > 0 ? packetText('size') : '';
  for (let line = 0; line < ids.length; line++) {
    const at = line * objectIdBytes;
    text += packetText(`${objectIdAt(ids.bytes, at)}${size ? ` ${sizeOf(ids.bytes, at) ?? ''}` : ''}`);
    if ((line + 1) % linesAPiece > 0) continue;
    yield encodeUtf8(text);
    text = '';
  }
  yield encodeUtf8(text + flushText);
}
