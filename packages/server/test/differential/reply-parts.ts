import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { readPackets, type ReadPacket } from '@packhouse/conformance/tools/wire-client';

/**
 * One part of a reply, in the order of the reply. `text` holds the payload of a packet byte by byte (latin1), with its
 * LF if it has one.
 */
export type ReplyPart =
  | { readonly kind: 'flush' | 'delim' }
  | { readonly kind: 'line'; readonly text: string }
  /** A pack, regardless of its split into packets. */
  | { readonly kind: 'pack'; readonly bytes: Buffer; readonly objects: readonly MadeObject[] }
  /** Ids of the objects in a pack, instead of the pack. */
  | { readonly kind: 'objects'; readonly ids: readonly string[] }
  /** The payload of consecutive packets of band 2. */
  | { readonly kind: 'progress'; readonly text: string }
  /** A packet of band 3. */
  | { readonly kind: 'error'; readonly text: string };

/**
 * Takes a reply of upload-pack apart. Deltas of a thin pack may lean on the objects `known`. With `isBanded`, the
 * request asked for `sideband-all`, where each line has a band byte.
 *
 * @throws if the framing or the pack is broken.
 */
export function uploadParts(body: Buffer, known: Iterable<MadeObject>, isBanded = false): ReplyPart[] {
  const packPart = (bytes: Buffer): ReplyPart => ({
    kind: 'pack',
    bytes,
    objects: [...readPack(bytes, known).objects.values()],
  });
  // Without a side-band the pack follows the last packet as it is.
  const raw = rawPackAt(body);
  const parts = partsOf(readPackets(body.subarray(0, raw)), isBanded, (bytes) => [packPart(bytes)]);
  return raw === undefined ? parts : [...parts, packPart(body.subarray(raw))];
}

/** Takes a reply of receive-pack apart. With a side-band, band 1 holds the packets of the report. */
export function receiveParts(body: Buffer): ReplyPart[] {
  return partsOf(readPackets(body), false, (bytes) => partsOf(readPackets(bytes), false, () => []));
}

function rawPackAt(body: Buffer): number | undefined {
  for (let at = 0; at < body.length;) {
    if (body.toString('latin1', at, at + 4) === 'PACK') return at;
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length)) return undefined;
    at += Math.max(4, length);
  }
  return undefined;
}

function partsOf(
  packets: readonly ReadPacket[],
  isBanded: boolean,
  inBand1: (bytes: Buffer) => ReplyPart[],
): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const band1: Buffer[] = [];
  const progress: Buffer[] = [];
  /** True once band 1 carries a pack in place of lines. */
  let hasData = !isBanded;
  const endBands = (): void => {
    if (progress.length > 0) {
      parts.push({ kind: 'progress', text: Buffer.concat(progress.splice(0)).toString('latin1') });
    }
    const bytes = Buffer.concat(band1.splice(0));
    if (bytes.length > 0) parts.push(...inBand1(bytes));
  };
  for (const packet of packets) {
    if (typeof packet === 'string') {
      endBands();
      parts.push({ kind: packet });
      continue;
    }
    const [band] = packet;
    const payload = packet.subarray(1);
    if (band === 2) progress.push(payload);
    else if (band === 3) parts.push({ kind: 'error', text: payload.toString('latin1') });
    else if (band === 1 && hasData) band1.push(payload);
    else {
      const text = (isBanded ? payload : packet).toString('latin1');
      parts.push({ kind: 'line', text });
      hasData ||= text === 'packfile\n';
    }
  }
  endBands();
  return parts;
}

/** Parts as text, one line a part, to compare and to read. */
export function printed(parts: readonly ReplyPart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'pack') return `pack ${part.bytes.toString('base64')}`;
      if (part.kind === 'objects') return `objects ${part.ids.join(' ')}`;
      return 'text' in part ? `${part.kind} ${JSON.stringify(part.text)}` : part.kind;
    })
    .join('\n');
}
