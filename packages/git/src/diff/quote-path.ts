const letters: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '"': '"',
  '\\': '\\',
};

/** Returns a path as `git diff` writes it with `core.quotePath`: in quotes if it has bytes that need them. */
export function quotePath(path: string): string {
  const escaped = path.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are the bytes that Git escapes.
    /[\x00-\x1f"\\\x7f-\xff]/g,
    (byte) => `\\${letters[byte] ?? byte.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped === path ? path : `"${escaped}"`;
}
