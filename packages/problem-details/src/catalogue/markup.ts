/** `**text**` within a line. */
const bold = /\*\*((?![\s*])[^*]*[^\s*])\*\*/g;

/** Markdown within a line that is more than bold text: what each form looks like, by its name. */
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

/** Markdown that makes a line, or the lines beside it, something else than a paragraph or an item of a list. */
const block: readonly (readonly [RegExp, string])[] = [
  [/^#{1,6}(?:\s|$)/, 'a heading'],
  [/^>/, 'a quotation'],
  [/^(?:[*+]\s|[-*+]$|\d+\)(?:\s|$)|\d+\.$)/, 'a list that does not begin with `- ` or `1. `'],
  [/^~~~/, 'code'],
  [/^[-=*_|:\s]+$/, 'a rule, a heading or a table'],
];

const item = /^(?:- |\d+\. )/;

/** The name of the first Markdown in a line that its place does not allow, or nothing. */
function lineMarkup(line: string): string | undefined {
  return [...block, ...inline].find(([form]) => form.test(line))?.[1];
}

/** Markdown in a text that has to be plain (ERR-013). */
export function plainMarkup(line: string): string | undefined {
  return item.test(line) ? 'a list' : lineMarkup(line);
}

/**
 * Markdown beyond `**bold**`, paragraphs and lists of `- ` and `1. ` (ERR-014, ERR-071): its name, or nothing. It would
 * be markup in the Markdown form and text in the HTML form.
 */
export function guidanceMarkup(line: string): string | undefined {
  const text = line.replace(item, '');
  if (text !== line && item.test(text)) return 'a list in a list';
  if (text.startsWith(' ')) return 'an item with more than one space';
  return lineMarkup(text.replaceAll(bold, '.$1.'));
}
