/** Bytes that are no UTF-8 become U+FFFD; a mark at the front stays. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const decodeRun = (run: string): string =>
  decoder.decode(Uint8Array.from(run.slice(1).split('%'), (byte) => Number.parseInt(byte, 16)));

/** The path of a URL with its percent escapes decoded (ERR-103). What is no escape stays as it is. Never throws. */
export const decodedPath = (pathname: string): string =>
  pathname.includes('%') ? pathname.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, decodeRun) : pathname;
