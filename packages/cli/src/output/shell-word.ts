/** One word for a shell, quoted only where it has characters that mean something to it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : quoted(text);
}

/** One word for a shell, in quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
