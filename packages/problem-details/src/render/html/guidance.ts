import { escapeHtml } from './escape.ts';

type Block = 'p' | 'ul' | 'ol';

const bullet = /^- +/;
const number = /^([0-9]+)\. +/;

const strong = (escaped: string): string =>
  escaped.includes('**') ? escaped.replaceAll(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>') : escaped;

const writeItems = (lines: readonly string[], marker: RegExp): string =>
  lines.map((line) => `<li>${strong(line.replace(marker, ''))}</li>`).join('');

const writeBlock = (kind: Block, lines: readonly string[]): string => {
  if (kind === 'p') return `<p>${strong(lines.join('\n'))}</p>`;
  if (kind === 'ul') return `<ul>${writeItems(lines, bullet)}</ul>`;
  // A list continues its numbers after a blank line between items.
  const first = number.exec(lines[0] ?? '')?.[1] ?? '1';
  return `<ol${first === '1' ? '' : ` start="${first}"`}>${writeItems(lines, number)}</ol>`;
};

const kindOf = (line: string): Block => (bullet.test(line) ? 'ul' : number.test(line) ? 'ol' : 'p');

/**
 * Renders a text of the catalogue as HTML (ERR-071). Escapes it first. Then `**text**` becomes `strong`, a blank line
 * ends a paragraph, and lines that start with `- ` or a number and `. ` form lists. There is no other markup.
 */
export const guidanceHtml = (text: string): string => {
  const escaped = escapeHtml(text);
  if (!escaped.includes('\n') && kindOf(escaped) === 'p') return `<p>${strong(escaped)}</p>`;
  let html = '';
  let kind: Block = 'p';
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length > 0) html += writeBlock(kind, lines);
    lines = [];
  };
  for (const line of escaped.split(/\r\n|\r|\n/)) {
    const blank = line.trim() === '';
    const next = kindOf(line);
    if (blank || next !== kind) close();
    if (blank) continue;
    kind = next;
    lines.push(line);
  }
  close();
  return html;
};
