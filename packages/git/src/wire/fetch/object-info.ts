import { objectIdAt, objectIdBytes } from '../../object/object-id.ts';
import { lineObjectId, readArguments, unexpectedLine } from '../arguments.ts';
import { IdList } from '../id-list.ts';
import type { PacketReader } from '../packet-reader.ts';
import { flushText, packetText } from '../pkt-line.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';

/** Arguments of the command `object-info` (GIT-100). */
export interface ObjectInfoRequest {
  readonly command: 'object-info';
  /** True if the client requests the sizes of objects. No other attribute exists. */
  readonly size: boolean;
  /** In the requested order, repetitions included. */
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

/** Number of lines in one piece of the reply. */
export const linesAPiece = 256;

/**
 * Yields the reply to `object-info` in pieces. `sizeOf` returns the size of the object whose 20 bytes start at a place;
 * undefined if this client may not see it. Like stock Git, it sends only a flush without ids, bare ids without `size`,
 * and no LF at line ends.
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
