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

/** The sections with their delimiters; `flush` ends the reply after the last one. */
export function joinSections(sections: readonly string[], end: 'flush' | 'open'): string {
  return sections.join(delimText) + (end === 'flush' ? flushText : '');
}
