import type { RefRecord } from '../ports/repo-state.ts';
import type { Head } from '../refs/head.ts';
import { keptPerName, readArguments, unexpectedLine } from './arguments.ts';
import type { PacketReader } from './packet-reader.ts';
import { flushText, packetText } from './pkt-line.ts';
import { prefixTest } from './ref-prefixes.ts';
import { encodeUtf8 } from './utf8.ts';

/** Arguments of the command `ls-refs` (GIT-091, GIT-092). */
export interface LsRefsRequest {
  readonly command: 'ls-refs';
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
  /** Starts of the full names that are wanted; none: all refs. */
  readonly prefixes: readonly string[];
}

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
      reader.keep(keptPerName(line));
      prefixes.push(line.slice('ref-prefix '.length));
    } else throw unexpectedLine(line);
  });
  return { command: 'ls-refs', ...request, prefixes };
}

/** The reply to `ls-refs`. `refs` are the visible ones, sorted bytewise; the array must never change. */
export function writeLsRefsResponse(request: LsRefsRequest, refs: readonly RefRecord[], head: Head): Uint8Array {
  const first = encodeUtf8(prefixTest(request.prefixes)('HEAD') ? headLine(request, head) : '');
  const lines = refLines(request, refs);
  const reply = new Uint8Array(first.length + lines.length);
  reply.set(first);
  reply.set(lines, first.length);
  return reply;
}

/** Replies kept for one list of refs; clients send two or three forms of the request. */
const keptMax = 4;

const kept = new WeakMap<readonly RefRecord[], Map<string, Uint8Array>>();

/**
 * The lines of the refs and the flush behind them. They are kept for as long as the list of refs is, since everybody
 * who looks for news asks for the same ones.
 */
function refLines({ peel, prefixes }: LsRefsRequest, refs: readonly RefRecord[]): Uint8Array {
  const key = JSON.stringify([peel, prefixes]);
  let forms = kept.get(refs);
  const known = forms?.get(key);
  if (known !== undefined) return known;
  const admits = prefixTest(prefixes);
  let text = '';
  for (const ref of refs) {
    if (!admits(ref.name)) continue;
    const peeled = peel && ref.peeled !== null ? ` peeled:${ref.peeled}` : '';
    text += packetText(`${ref.oid} ${ref.name}${peeled}\n`);
  }
  const lines = encodeUtf8(text + flushText);
  if (forms === undefined) kept.set(refs, (forms = new Map()));
  if (forms.size < keptMax && key.length < 1024) forms.set(key, lines);
  return lines;
}

function headLine(request: LsRefsRequest, head: Head): string {
  const target = request.symrefs ? ` symref-target:${head.ref}` : '';
  if (head.oid !== undefined) return packetText(`${head.oid} HEAD${target}\n`);
  return request.unborn && request.symrefs ? packetText(`unborn HEAD${target}\n`) : '';
}
