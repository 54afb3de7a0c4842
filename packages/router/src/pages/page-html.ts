import { escapeHtml } from '@packhouse/problem-details';
import type { Block, Page, Section } from './page.ts';
import { pageStyle } from './page-style.ts';

/**
 * Renders a page as a complete HTML document. As error pages, it has no script and loads nothing (ERR-065 to ERR-067).
 */
export function pageHtml({ title, number, intro, sections }: Page): string {
  const heading =
    number === undefined ? escapeHtml(title) : `<span class="code">${number.value}</span> ${escapeHtml(number.words)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
<title>${escapeHtml(title)}</title>
</head>
<body>
<main>
<header>
<h1>${heading}</h1>
</header>
<div class="text wide">
${intro.map(blockHtml).join('\n')}
</div>
${sections.map(sectionHtml).join('\n')}
</main>
</body>
</html>
`;
}

function sectionHtml({ id, heading, blocks }: Section): string {
  const anchor = id === undefined ? '' : ` id="${escapeHtml(id)}"`;
  return `<section class="wide"${anchor}>
<h2>${escapeHtml(heading)}</h2>
<div class="text">
${blocks.map(blockHtml).join('\n')}
</div>
</section>`;
}

function blockHtml(block: Block): string {
  if (typeof block === 'string') return `<p>${inlineHtml(block)}</p>`;
  if ('code' in block) return `<pre><code>${escapeHtml(block.code)}</code></pre>`;
  return `<ul>\n${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join('\n')}\n</ul>`;
}

/** Renders inline Markdown as HTML. Escaping comes first, so that only code, `**strong**` and links become markup. */
function inlineHtml(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, at) => {
      if (at % 2 === 1) return `<code>${escapeHtml(piece.slice(1, -1))}</code>`;
      return escapeHtml(piece)
        .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
        .replaceAll(/\[([^\]]+)\]\(([^()\s]+)\)/g, '<a href="$2">$1</a>');
    })
    .join('');
}
