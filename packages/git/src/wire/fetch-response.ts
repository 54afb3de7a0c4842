import type { ObjectId } from '../object/object-id.ts';
import { delimText, flushText, packetText } from './pkt-line.ts';

/**
 * Sections of a reply to `fetch` in version 2, as text (GIT-094). The caller puts them in order, a delimiter between
 * two, and encodes them.
 */

/** The section `acknowledgments` (GIT-095). */
export function acknowledgmentsSection(common: readonly ObjectId[], ready: boolean): string {
  const lines = common.map((oid) => packetText(`ACK ${oid}\n`)).join('');
  return (
    packetText('acknowledgments\n') +
    (lines === '' ? packetText('NAK\n') : lines) +
    (ready ? packetText('ready\n') : '')
  );
}

/** The header of the section `packfile`; what follows is the pack in side-band packets and a flush (GIT-101). */
export const packfileHeader: string = packetText('packfile\n');

/** What `shallow-info` tells, and the shallow lines of version 0 and 1 (GIT-072). */
export interface ShallowUpdate {
  readonly shallow: readonly ObjectId[];
  readonly unshallow: readonly ObjectId[];
}

/** `shallow` and `unshallow` lines, without what ends them. */
export function shallowLines(update: ShallowUpdate): string {
  const shallow = update.shallow.map((oid) => packetText(`shallow ${oid}\n`)).join('');
  return shallow + update.unshallow.map((oid) => packetText(`unshallow ${oid}\n`)).join('');
}

/** The section `shallow-info` (GIT-094). */
export function shallowInfoSection(update: ShallowUpdate): string {
  return packetText('shallow-info\n') + shallowLines(update);
}

/** The sections with their delimiters; `flush` ends the reply after the last one. */
export function joinSections(sections: readonly string[], end: 'flush' | 'open'): string {
  return sections.join(delimText) + (end === 'flush' ? flushText : '');
}
