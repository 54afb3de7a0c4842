/** Reads the parts of a reply that every server shares: no capabilities, agents, session ids, progress or texts. */

import type { MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { linesOf, readPackets, type ReadPacket } from '../../../tools/wire-client.ts';

/** The lines of an advertisement without capabilities and the two frames that version 2 may do without. */
export function advertisementOf(version: 0 | 1 | 2, body: Buffer): readonly string[] {
  const lines = linesOf(body);
  if (version === 2) return lines.filter((line) => line.startsWith('version '));
  // Of an empty repo, some servers advertise capabilities on a separate line, and some nothing.
  return lines.map((line) => line.replace(/\0.*/, '')).filter((line) => !line.endsWith(' capabilities^{}'));
}

/** Returns the names of the capabilities in an advertisement; in version 2, with the features of commands. */
export function capabilitiesOf(body: Buffer): ReadonlySet<string> {
  const lines = linesOf(body);
  const listed = lines.find((line) => line.includes('\0'))?.split('\0')[1];
  const words = listed?.split(' ') ?? lines.flatMap((line) => [line, ...(line.split('=')[1] ?? '').split(' ')]);
  return new Set(words.flatMap((word) => [word, word.replace(/=.*/, '')]));
}

/** The lines of a reply to `ls-refs`, whose order Git does not fix. */
export function listedOf(body: Buffer): readonly string[] {
  return linesOf(body).sort();
}

/** A reply to a fetch. */
export interface FetchedReply {
  /** The new boundary: `shallow` and `unshallow` lines, sorted. */
  readonly boundary: readonly string[];
  /** True if the server has one of the haves. How many it acknowledges is up to it. */
  readonly isCommon: boolean;
  /** The ids of the objects in the pack, sorted; undefined without a pack. */
  readonly objects: readonly string[] | undefined;
}

/** Parses a reply to a fetch, in any version. `held`: the objects that a thin pack may lean on. */
export function fetchedOf(body: Buffer, held: Iterable<MadeObject>): FetchedReply {
  const [packets, rest] = framesOf(body);
  const texts = packets.map((read) => (typeof read === 'string' ? read : read.toString('latin1').trimEnd()));
  const bands = packets.flatMap((read) => (typeof read !== 'string' && read[0] === 1 ? [read.subarray(1)] : []));
  const pack = Buffer.concat([...bands, rest]);
  return {
    boundary: texts.filter((text) => /^(?:un)?shallow [0-9a-f]{40}$/.test(text)).sort(),
    isCommon: texts.some((text) => /^ACK [0-9a-f]{40}/.test(text)),
    objects: pack.length === 0 ? undefined : [...readPack(pack, held).objects.keys()].sort(),
  };
}

/** The report of a push, by lines, without the reasons of refusals. */
export function reportedOf(body: Buffer): readonly string[] {
  const [packets, rest] = framesOf(body);
  const bands = packets.flatMap((read) => (typeof read !== 'string' && read[0] === 1 ? [read.subarray(1)] : []));
  const lines = bands.length > 0 ? linesOf(Buffer.concat(bands)) : linesOf(Buffer.concat([body, rest]));
  return lines.filter((line) => line !== 'flush').map((line) => line.replace(/^(ng \S+) .*/, '$1 (reason)'));
}

/** Splits a reply into packets, and a pack that no packet frames. */
function framesOf(body: Buffer): readonly [packets: readonly ReadPacket[], rest: Buffer] {
  let at = 0;
  while (at < body.length && body.toString('latin1', at, at + 4) !== 'PACK') {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    at += Math.max(length, 4);
  }
  return [readPackets(body.subarray(0, at)), body.subarray(at)];
}
