import type { BlobContent } from '@packhouse/git';

/** Types that browsers show as what they are, and that cannot act (REPO-149). */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['ico', 'image/x-icon'],
  ['pdf', 'application/pdf'],
]);

/** Bytes of a file that tell whether it is text. */
const sniffed = 8192;

/**
 * The media type of a file (REPO-149): by its extension where that is one of a few, else by its first bytes.
 *
 * @param path Bytes; its last part is the name.
 */
export async function contentTypeOf(path: Uint8Array, blob: Pick<BlobContent, 'head'>): Promise<string> {
  const known = typesByExtension.get(extensionOf(path));
  if (known !== undefined) return known;
  return isText(await blob.head(sniffed)) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/** In lower case; empty if there is none. */
function extensionOf(path: Uint8Array): string {
  const longest = 5;
  let end = path.length;
  // What is dropped from the path does not belong to its name (REPO-147).
  for (;;) {
    if (path[end - 1] === slash) end--;
    else if (path[end - 1] === dot && path[end - 2] === slash) end -= 2;
    else break;
  }
  const tail = String.fromCharCode(...path.subarray(Math.max(0, end - longest), end)).toLowerCase();
  return /\.([a-z]+)$/.exec(tail)?.[1] ?? '';
}

const [slash, dot] = [47, 46];

/** Whether bytes hold no NUL and are UTF-8, but for a last sequence that goes on behind them. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
