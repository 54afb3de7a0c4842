import type { BlobContent } from '@packhouse/git';

/** Types that browsers display, and that are never active content (REPO-149). */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['ico', 'image/x-icon'],
  ['pdf', 'application/pdf'],
]);

/** Bytes at the start of a file that decide whether it is text. */
const sniffed = 8192;

/**
 * Returns the media type of a file (REPO-149): by its extension if the table above has that, else by its first bytes.
 *
 * @param path path in the repo as bytes. Its last part is the name.
 */
export async function contentTypeOf(path: Uint8Array, blob: Pick<BlobContent, 'head'>): Promise<string> {
  const known = typesByExtension.get(extensionOf(path));
  if (known !== undefined) return known;
  return isText(await blob.head(sniffed)) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

/** Returns the extension in lower case, or an empty string. */
function extensionOf(path: Uint8Array): string {
  const longest = 5;
  let end = path.length;
  // Lookups ignore trailing `/` and `/.` (REPO-147), so they are not part of the name.
  for (;;) {
    if (path[end - 1] === slash) end--;
    else if (path[end - 1] === dot && path[end - 2] === slash) end -= 2;
    else break;
  }
  const tail = String.fromCharCode(...path.subarray(Math.max(0, end - longest), end)).toLowerCase();
  return /\.([a-z]+)$/.exec(tail)?.[1] ?? '';
}

const [slash, dot] = [47, 46];

/** Checks that bytes are UTF-8 without NUL. The last sequence may be cut off. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
