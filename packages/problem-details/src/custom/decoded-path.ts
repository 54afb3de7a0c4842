/** Replaces malformed UTF-8 with U+FFFD and keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const decodeRun = (run: string): string =>
  decoder.decode(Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16)));

/** Decodes the percent escapes of a URL path (ERR-103). Keeps malformed escapes. Never throws. */
export const decodedPath = (pathname: string): string =>
  pathname.includes('%') ? pathname.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, decodeRun) : pathname;
