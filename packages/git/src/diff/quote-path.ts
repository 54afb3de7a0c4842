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

// oxlint-disable-next-line no-control-regex -- these are the bytes that Git escapes.
const escapedBytes = /[\x00-\x1f"\\\x7f-\xff]/;
const allEscapedBytes = new RegExp(escapedBytes, 'g');

/** Returns a path as `git diff` writes it with `core.quotePath`: in quotes if it has bytes that need them. */
export function quotePath(path: string): string {
  if (!escapedBytes.test(path)) return path;
  const escaped = path.replaceAll(
    allEscapedBytes,
    (byte) => `\\${letters[byte] ?? byte.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
