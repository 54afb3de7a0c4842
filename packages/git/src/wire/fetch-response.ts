import type { ObjectId } from '../object/object-id.ts';
import { delimText, flushText, packetText } from './pkt-line.ts';

/** Sections of a reply to `fetch` in version 2, as text; undefined: it is left out (GIT-094). */
export interface FetchSections {
  /** From {@link acknowledgmentsSection}. */
  readonly acknowledgments?: string | undefined;
  /** `shallow` and `unshallow` lines as packets; may be empty. */
  readonly shallowInfo?: string | undefined;
  /** From {@link wantedRefsSection}. */
  readonly wantedRefs?: string | undefined;
}

/** A ref that was asked for with `want-ref`, and what it points to. */
export interface WantedRef {
  /** As asked for. */
  readonly name: string;
  readonly oid: ObjectId;
}

/** The section `acknowledgments` (GIT-095). */
export function acknowledgmentsSection(common: readonly ObjectId[], ready: boolean): string {
  const lines = common.map((oid) => packetText(`ACK ${oid}\n`)).join('');
  return (
    packetText('acknowledgments\n') +
    (lines === '' ? packetText('NAK\n') : lines) +
    (ready ? packetText('ready\n') : '')
  );
}

/** The section `wanted-refs` (GIT-098); undefined without any. */
export function wantedRefsSection(refs: readonly WantedRef[]): string | undefined {
  if (refs.length === 0) return undefined;
  return packetText('wanted-refs\n') + refs.map(({ oid, name }) => packetText(`${oid} ${name}\n`)).join('');
}

/**
 * What comes before the pack, its header included: the pack follows in side-band packets, and a flush (GIT-101). Stock
 * clients fail if `wanted-refs` comes before `shallow-info`, though the documentation has no order.
 */
export function fetchHead({ acknowledgments, shallowInfo, wantedRefs }: FetchSections): string {
  const shallow = shallowInfo === undefined ? undefined : packetText('shallow-info\n') + shallowInfo;
  const sections = [acknowledgments, shallow, wantedRefs, packetText('packfile\n')];
  return sections.filter((section) => section !== undefined).join(delimText);
}

/** A reply without a pack: acknowledgments alone. */
export function unreadyReply(acknowledgments: string): string {
  return acknowledgments + flushText;
}
