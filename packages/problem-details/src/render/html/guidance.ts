import { escapeHtml } from './escape.ts';

type Block = 'p' | 'ul' | 'ol';

const bullet = /^- +/;
const number = /^[0-9]+\. +/;

const strong = (escaped: string): string =>
  escaped.includes('**') ? escaped.replaceAll(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>') : escaped;

const writeBlock = (kind: Block, lines: readonly string[]): string =>
  kind === 'p'
    ? `<p>${strong(lines.join('\n'))}</p>`
    : `<${kind}>${lines.map((line) => `<li>${strong(line)}</li>`).join('')}</${kind}>`;

const kindOf = (line: string): Block => (bullet.test(line) ? 'ul' : number.test(line) ? 'ol' : 'p');

/**
 * A text of the catalogue as HTML (ERR-071): escaped first; then `**text**` is `strong`, a blank line ends a paragraph,
 * and runs of lines that start with `- ` or with a number and `. ` are lists. Nothing else is markup.
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
    lines.push(next === 'ul' ? line.replace(bullet, '') : next === 'ol' ? line.replace(number, '') : line);
  }
  close();
  return html;
};
