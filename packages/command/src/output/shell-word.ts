/** Returns one word for a shell, quoted only if it has characters with a special meaning. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : quoted(text);
}

/** Returns one word for a shell, in quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
