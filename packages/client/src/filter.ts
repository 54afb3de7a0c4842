/**
 * Encodes a filter that a user wrote for the query after `tag=` (section 10 of `tagging.md`). `!`, the first `=` and
 * commas keep their meaning; all other characters are literal. `\,` is a comma inside a value, `\\` a backslash.
 */
export function writeFilter(text: string): string {
  // A lone surrogate cannot be encoded in a URL.
  const whole = text.toWellFormed();
  const operator = whole.indexOf('=');
  if (operator === -1) return encodeURIComponent(whole);
  const parts = whole.slice(operator + 1).match(/\\[\\,]|[^]/gu) ?? [];
  const values = parts.map((part) => (part === ',' ? part : encodeURIComponent(part.replace(/^\\(?=.)/, ''))));
  return `${encodeURIComponent(whole.slice(0, operator))}=${values.join('')}`;
}
