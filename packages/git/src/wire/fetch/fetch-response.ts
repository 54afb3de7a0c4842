import type { ObjectId } from '../../object/object-id.ts';
import { concatenate } from '../../bytes/concatenate.ts';
import { delimText, flushPacket, packetText } from '../pkt-line.ts';
import { ReplyText } from '../reply-text.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';

/** Sections of a reply to `fetch` in version 2, as packets; undefined: it is left out (GIT-094). */
export interface FetchSections {
  /** From {@link acknowledgmentsSection}. */
  readonly acknowledgments?: Uint8Array | undefined;
  /** `shallow` and `unshallow` lines as packets; may be empty. */
  readonly shallowInfo?: Uint8Array | undefined;
  /** From {@link wantedRefsSection}. */
  readonly wantedRefs?: string | undefined;
}

/** A ref that was asked for with `want-ref`, and what it points to. */
export interface WantedRef {
  /** The requested name. */
  readonly name: string;
  readonly oid: ObjectId;
}

/** The section `acknowledgments` (GIT-095) of these common objects. */
export function acknowledgmentsSection(common: Iterable<ObjectId>, ready: boolean): Uint8Array {
  const section = new ReplyText();
  section.add(packetText('acknowledgments\n'));
  let none = true;
  for (const oid of common) {
    section.add(packetText(`ACK ${oid}\n`));
    none = false;
  }
  if (none) section.add(packetText('NAK\n'));
  if (ready) section.add(packetText('ready\n'));
  return section.toBytes();
}

/** The section `wanted-refs` (GIT-098); undefined without any. */
export function wantedRefsSection(refs: readonly WantedRef[]): string | undefined {
  if (refs.length === 0) return undefined;
  return packetText('wanted-refs\n') + refs.map(({ oid, name }) => packetText(`${oid} ${name}\n`)).join('');
}

/**
 * Writes the sections before the pack, including its header: the pack follows in side-band packets, and a flush
 * (GIT-101). Stock clients fail if `wanted-refs` comes before `shallow-info`, although the documentation has no order.
 */
export function fetchHead({ acknowledgments, shallowInfo, wantedRefs }: FetchSections): Uint8Array {
  const delim = encodeUtf8(delimText);
  return concatenate([
    ...(acknowledgments === undefined ? [] : [acknowledgments, delim]),
    ...(shallowInfo === undefined ? [] : [encodeUtf8(packetText('shallow-info\n')), shallowInfo, delim]),
    ...(wantedRefs === undefined ? [] : [encodeUtf8(wantedRefs), delim]),
    encodeUtf8(packetText('packfile\n')),
  ]);
}

/** A reply without a pack: acknowledgments alone. */
export function unreadyReply(acknowledgments: Uint8Array): Uint8Array {
  return concatenate([acknowledgments, flushPacket()]);
}
