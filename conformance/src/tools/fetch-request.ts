/** Requests for packs and their replies, in one form for all versions of the protocol. */

import { NotDone } from '../core/outcome.ts';
import { same } from './same.ts';
import { delim, flush, packet, post, readPackets, type Remote } from './wire-client.ts';

export type Version = 0 | 1 | 2;
export const versions: readonly Version[] = [0, 1, 2];

export interface FetchRequest {
  readonly wants: readonly string[];
  readonly haves?: readonly string[];
  /** Commits whose parents the client lacks. */
  readonly shallow?: readonly string[];
  /** Lines such as `deepen 1`, `deepen-since 1700000000`, `deepen-not main`, and `deepen-relative`. */
  readonly depth?: readonly string[];
  readonly filter?: string;
  /** Capabilities in version 0 and 1, arguments in version 2. Default: `ofs-delta` and `no-progress`. */
  readonly words?: readonly string[];
  /**
   * The end of the haves. `wants` is for versions 0 and 1 only, and ends the body before the haves. Default: `done`.
   */
  readonly end?: 'done' | 'flush' | 'wants';
}

export interface FetchReply {
  /** The text of a refusal; then everything else is empty. */
  readonly error: string | undefined;
  /** Lines such as `shallow <oid>` and `unshallow <oid>`, sorted; undefined if the reply has no such section. */
  readonly boundary: readonly string[] | undefined;
  readonly acknowledgments: readonly string[];
  readonly pack: Buffer | undefined;
}

/** Encodes a request. */
export function fetchRequestBody(version: Version, request: FetchRequest): Buffer {
  const { wants, haves = [], shallow = [], depth = [], filter, end = 'done' } = request;
  const words = request.words ?? ['ofs-delta', 'no-progress'];
  const lines = (word: string, values: readonly string[]): Buffer[] =>
    values.map((value) => packet(`${word} ${value}\n`));
  const asked = filter === undefined ? [] : [packet(`filter ${filter}\n`)];
  if (version === 2) {
    return Buffer.concat([
      packet('command=fetch\n'),
      packet('object-format=sha1\n'),
      delim,
      ...[...words, ...depth].map((word) => packet(`${word}\n`)),
      ...lines('want', wants),
      ...lines('shallow', shallow),
      ...asked,
      ...lines('have', haves),
      ...(end === 'done' ? [packet('done\n')] : []),
      flush,
    ]);
  }
  const relative = depth.filter((line) => line === 'deepen-relative');
  const capabilities = [...words, ...relative, ...(filter === undefined ? [] : ['filter'])].join(' ');
  return Buffer.concat([
    ...wants.map((want, i) => packet(`want ${want}${i === 0 ? ` ${capabilities}` : ''}\n`)),
    ...lines('shallow', shallow),
    ...depth.filter((line) => line !== 'deepen-relative').map((line) => packet(`${line}\n`)),
    ...asked,
    flush,
    ...(end === 'wants' ? [] : lines('have', haves)),
    ...(end === 'done' ? [packet('done\n')] : end === 'flush' ? [flush] : []),
  ]);
}

/** Parses the reply to a request without side-band and `sideband-all`. */
export function readFetchReply(
  version: Version,
  body: Buffer,
  { depth = [] }: Pick<FetchRequest, 'depth'>,
): FetchReply {
  const start = version === 2 ? -1 : body.indexOf('PACK');
  const packets = readPackets(start < 0 ? body : body.subarray(0, start));
  const texts = packets.map((read) => (typeof read === 'string' ? read : read.toString('latin1').replace(/\n$/, '')));
  const refused = texts.find((text) => text.startsWith('ERR '));
  if (refused !== undefined) {
    same(texts, [refused], 'A refusal comes alone.');
    return { error: refused.slice('ERR '.length), boundary: undefined, acknowledgments: [], pack: undefined };
  }
  if (version === 2) return { error: undefined, ...readSections(packets, texts) };
  const end = depth.some((line) => line !== 'deepen-relative') ? texts.indexOf('flush') : -1;
  return {
    error: undefined,
    boundary: end < 0 ? undefined : texts.slice(0, end).sort(),
    acknowledgments: texts.slice(end + 1),
    pack: start < 0 ? undefined : body.subarray(start),
  };
}

function readSections(packets: readonly (Buffer | string)[], texts: readonly string[]): Omit<FetchReply, 'error'> {
  let boundary: string[] | undefined;
  let acknowledgments: string[] = [];
  let pack: Buffer | undefined;
  let from = 0;
  const ends = texts.flatMap((text, i) => (text === 'delim' || text === 'flush' ? [i] : []));
  for (const end of ends) {
    const [name, ...lines] = texts.slice(from, end);
    if (name === 'acknowledgments') acknowledgments = lines;
    else if (name === 'shallow-info') boundary = lines.sort();
    else if (name === 'packfile') {
      const bands = packets.slice(from + 1, end) as Buffer[];
      const failed = bands.find((band) => band[0] === 3);
      if (failed !== undefined) throw new NotDone(`the pack breaks off: ${failed.subarray(1).toString()}`);
      pack = Buffer.concat(bands.filter((band) => band[0] === 1).map((band) => band.subarray(1)));
    } else if (name !== 'wanted-refs' && name !== undefined) throw new NotDone(`a section that is not known: ${name}`);
    from = end + 1;
  }
  return { boundary, acknowledgments, pack };
}

/**
 * Sends a request and parses the reply.
 *
 * @throws unless the reply is 200.
 */
export async function askFor(repo: Remote, version: Version, request: FetchRequest): Promise<FetchReply> {
  const { status, body } = await post(repo, fetchRequestBody(version, request), { version });
  if (status !== 200) throw new NotDone(`a fetch in version ${version} was answered ${status}: ${body.toString()}`);
  return readFetchReply(version, body, request);
}

/**
 * Returns the pack of a reply.
 *
 * @throws with the text of the service if there is no pack.
 */
export function packIn({ error, pack }: FetchReply): Buffer {
  if (pack === undefined) throw new NotDone(error ?? 'a reply without a pack');
  return pack;
}
