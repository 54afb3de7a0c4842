/** `**text**` within a line. */
const bold = /\*\*((?![\s*])[^*]*[^\s*])\*\*/g;

/** Forbidden inline Markdown, beyond bold text: a pattern and the name of each form. */
const inline: readonly (readonly [RegExp, string])[] = [
  [/`/, 'code'],
  [/\*(?!\s)|(?<=\S)\*/, 'emphasis with `*`'],
  [/(?<!\w)_(?=\S)/, 'emphasis with `_`'],
  [/~~/, 'struck text'],
  [/\]\(|\]\[|^\[[^\]]*\]:/, 'a link or an image'],
  [/<(?:[a-z/!?]|[^\s<>]+@)/i, 'HTML or a link'],
  [/&#?\w+;/, 'a character reference'],
  [/\\(?:[!-/:-@[-`{-~]|$)/, 'an escape'],
];

/** Forbidden block Markdown, which turns a line or its neighbours into something else than a paragraph or list item. */
const block: readonly (readonly [RegExp, string])[] = [
  [/^#{1,6}(?:\s|$)/, 'a heading'],
  [/^>/, 'a quotation'],
  [/^(?:[*+]\s|[-*+]$|\d+\)(?:\s|$)|\d+\.$)/, 'a list that does not begin with `- ` or `1. `'],
  [/^~~~/, 'code'],
  [/^[-=*_|:\s]+$/, 'a rule, a heading or a table'],
];

const item = /^(?:- |\d+\. )/;

/** Returns the name of the first forbidden Markdown in a line, or undefined. */
function lineMarkup(line: string): string | undefined {
  return [...block, ...inline].find(([form]) => form.test(line))?.[1];
}

/** Finds Markdown in a text that must be plain (ERR-013). */
export function plainMarkup(line: string): string | undefined {
  return item.test(line) ? 'a list' : lineMarkup(line);
}

/**
 * Finds Markdown beyond `**bold**`, paragraphs and lists of `- ` and `1. ` (ERR-014, ERR-071), and returns its name. It
 * would be markup in the Markdown form but plain text in the HTML form.
 */
export function guidanceMarkup(line: string): string | undefined {
  const text = line.replace(item, '');
  if (text !== line && item.test(text)) return 'a list in a list';
  if (text.startsWith(' ')) return 'an item with more than one space';
  return lineMarkup(text.replaceAll(bold, '.$1.'));
}
