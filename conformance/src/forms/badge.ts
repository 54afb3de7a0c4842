import type { Report } from '../report/report.ts';
import { outcomeText, unexpected } from '../report/summary.ts';

const label = 'conformance';
/** Each has a contrast of at least 5 to white. */
const colours = { good: '#2e7030', bad: '#b3261e', unknown: '#5f5b55' } as const;

/** Returns an SVG badge with the outcome, for README files. It has texts of the suite alone, and no outside resource. */
export function badge(report: Report): string {
  const text = outcomeText(report);
  const colour =
    unexpected(report) > 0
      ? colours.bad
      : report.counts.pass > 0 && !report.interrupted
        ? colours.good
        : colours.unknown;
  const [left, right] = [widthOf(label), widthOf(text)];
  const word = (x: number, width: number, content: string): string =>
    `<text x="${x + width / 2}" y="14" textLength="${width - 14}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
<title>${label}: ${text}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#33312e"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${word(0, left, label)}${word(left, right, text)}</g>
</svg>
`;
}

/** The width of a text with its padding: the font of the reader is unknown, and the text is stretched to fit. */
function widthOf(text: string): number {
  return Math.round(text.length * 6.6) + 14;
}
