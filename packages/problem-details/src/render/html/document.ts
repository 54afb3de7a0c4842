import { directionOf } from './direction.ts';
import { escapeHtml } from './escape.ts';
import { style } from './style.ts';

/** The variable parts of a page. */
export interface PageParts {
  /** Tag of the language of the texts. */
  readonly language: string;
  /** Text of `title`, before the zone (ERR-062). */
  readonly title: string;
  /** Host name, or empty. */
  readonly zone: string;
  /** The code or status, and the words next to it. */
  readonly number: number;
  readonly heading: string;
  /** HTML of the sections below the heading. */
  readonly sections: string;
  /** Text of the footer, or empty. */
  readonly footer: string;
}

/** Beginning of every page. The icon keeps browsers from requesting `/favicon.ico` (ERR-066). */
const head = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<style>${style}</style>`;

/** Longer codes use a smaller font, to fit narrow screens. */
const digitsAtFullSize = 4;

/** Writes a complete document (ERR-062, ERR-068). */
export const writeDocument = (page: PageParts): string => {
  const zone = escapeHtml(page.zone);
  const heading = escapeHtml(page.heading);
  const number = String(page.number);
  const site = zone === '' ? '' : `<p class="site"><bdi dir="ltr">${zone}</bdi></p>\n`;
  const code = number.length > digitsAtFullSize ? 'code long' : 'code';
  const footer = page.footer === '' ? '' : `<footer>\n<p>${escapeHtml(page.footer)}</p>\n</footer>\n`;
  return `<!doctype html>
<html lang="${escapeHtml(page.language)}" dir="${directionOf(page.language)}">
<head>
${head}
<title>${escapeHtml(page.title)}${zone === '' ? '' : ` | ${zone}`}</title>
</head>
<body>
<main>
<header>
${site}<h1><span class="${code}">${number}</span> ${heading}</h1>
</header>
${page.sections}</main>
${footer}</body>
</html>
`;
};

/** Writes a section with a heading, in a column or over the whole width. `body` is HTML. */
export const writeSection = (width: 'column' | 'wide', heading: string, body: string): string =>
  `<section class="${width}">\n<h2>${escapeHtml(heading)}</h2>\n${body}\n</section>\n`;
