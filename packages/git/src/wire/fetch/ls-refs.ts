import type { Head } from '../../refs/head.ts';
import type { RefSlice } from '../../refs/packed-refs.ts';
import { keptPerName, readArguments, unexpectedLine } from '../arguments.ts';
import type { PacketReader } from '../packet-reader.ts';
import { flushPacket, packetText } from '../pkt-line.ts';
import { writeRefLines } from '../ref-lines.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';

/** Arguments of the command `ls-refs` (GIT-091, GIT-092). */
export interface LsRefsRequest {
  readonly command: 'ls-refs';
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
  /** Starts of the full names that are wanted; none: all refs. */
  readonly prefixes: readonly string[];
}

/** Number of prefixes from which on Git ignores all of them and sends all refs (GIT-091). */
export const prefixesMax = 65_536;

/**
 * Reads the arguments of `ls-refs` up to the flush.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for an unknown argument (GIT-090).
 */
export async function parseLsRefsRequest(reader: PacketReader): Promise<LsRefsRequest> {
  const request = { peel: false, symrefs: false, unborn: false };
  const prefixes: string[] = [];
  await readArguments(reader, (line) => {
    if (line === 'peel' || line === 'symrefs' || line === 'unborn') request[line] = true;
    else if (line.startsWith('ref-prefix ')) {
      if (prefixes.length === prefixesMax) return;
      reader.keep(keptPerName(line));
      prefixes.push(line.slice('ref-prefix '.length));
    } else throw unexpectedLine(line);
  });
  return { command: 'ls-refs', ...request, prefixes: prefixes.length < prefixesMax ? prefixes : [] };
}

/** The reply to `ls-refs`. `refs` are those that were asked for and are visible, sorted bytewise; `head` if it was. */
export async function* writeLsRefsResponse(
  request: LsRefsRequest,
  refs: AsyncIterable<RefSlice>,
  head: Head | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield encodeUtf8(head === undefined ? '' : headLine(request, head));
  for await (const slice of refs) yield writeRefLines(slice, request.peel ? 'attribute' : 'none');
  yield flushPacket();
}

function headLine(request: LsRefsRequest, head: Head): string {
  const target = request.symrefs ? ` symref-target:${head.ref}` : '';
  if (head.oid !== undefined) return packetText(`${head.oid} HEAD${target}\n`);
  return request.unborn && request.symrefs ? packetText(`unborn HEAD${target}\n`) : '';
}
