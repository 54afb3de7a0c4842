const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** A quoted text: plain characters, and escapes of one letter or three octal digits. */
const quotedText = /^"((?:[^"\\]|\\(?:[abfnrtv\\"]|[0-3][0-7]{2}))*)"/;

/**
 * Splits a line that begins with a quoted byte text, as Git quotes paths. Returns the text without quotes, and the rest
 * of the line; undefined if the quotes are malformed.
 */
export function unquoted(line: string): readonly [text: string, rest: string] | undefined {
  const found = quotedText.exec(line);
  if (found === null) return undefined;
  const [whole, inner = ''] = found;
  const text = inner.replaceAll(/\\(\d{3}|.)/gs, (_, escape: string) =>
    escape.length === 1 ? (letters[escape] as string) : String.fromCharCode(Number.parseInt(escape, 8)),
  );
  return [text, line.slice(whole.length)];
}
