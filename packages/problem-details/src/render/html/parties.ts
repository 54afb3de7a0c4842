import type { Responsible } from '../../catalogue/entry.ts';
import type { Labels } from '../../problem/report.ts';
import { drawing } from './drawing.ts';
import { escapeHtml } from './escape.ts';

const person = drawing('<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5"/>');
const layers = drawing('<path d="M12 3l9 5-9 5-9-5z"/><path d="M3 12.5l9 5 9-5"/><path d="M3 17l9 5 9-5"/>');
const server = drawing(
  '<rect x="3" y="4" width="18" height="7" rx="1.5"/><rect x="3" y="13" width="18" height="7" rx="1.5"/><path d="M7 7.5h.01M7 16.5h.01"/>',
);
const check = drawing('<path d="M4 13l5 5L20 6"/>');
const cross = drawing('<path d="M5 5l14 14M19 5L5 19"/>');

const drawings: Readonly<Record<Responsible, string>> = { visitor: person, platform: layers, owner: server };

/** The order in which a request passes them. */
const chain: readonly Responsible[] = ['visitor', 'platform', 'owner'];

/**
 * Lists the three parties, and marks the responsible one by words and shape, not by colour alone (ERR-064, ERR-069).
 */
export const partiesHtml = (responsible: Responsible, labels: Labels): string => {
  let items = '';
  for (const party of chain) {
    const atFault = party === responsible;
    items += `<li class="${atFault ? 'party fault' : 'party'}"><span class="node">${drawings[party]}</span><span class="name">${escapeHtml(labels[party])}</span><span class="state">${atFault ? cross : check}${escapeHtml(atFault ? labels.at_fault : labels.not_at_fault)}</span></li>\n`;
  }
  return `<ol class="parties">\n${items}</ol>`;
};
