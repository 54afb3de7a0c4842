import { decodeLossy } from '../wire/utf8.ts';

/**
 * Texts of one commit as its `encoding` header says (REPO-055). As in Git, all of them are taken for UTF-8 where the
 * encoding is not known, or one of them is not what it says; bytes that are none become U+FFFD.
 */
export function decodeTexts(texts: readonly Uint8Array[], label: string | undefined): readonly string[] {
  const decode = decoderOf(label);
  if (decode === undefined) return texts.map(decodeLossy);
  try {
    return texts.map(decode);
  } catch {
    return texts.map(decodeLossy);
  }
}

type Decode = (bytes: Uint8Array) => string;

/** Undefined for UTF-8, and what nobody knows. A decoder throws for bytes that its encoding does not have. */
function decoderOf(label: string | undefined): Decode | undefined {
  const name = (label ?? 'utf-8').trim().toLowerCase();
  if (latin1Names.has(name)) return decodeLatin1;
  try {
    // Others know the same encodings by more names than TextDecoder does.
    const decoder = new TextDecoder(name.replace(/^latin-(\d+)$/, 'latin$1'), { fatal: true, ignoreBOM: true });
    return decoder.encoding === 'utf-8' ? undefined : (bytes) => decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** For TextDecoder these are Windows-1252, which has other characters from 0x80 to 0x9f. */
const latin1Names: ReadonlySet<string> = new Set([
  'iso-8859-1',
  'iso8859-1',
  'iso_8859-1',
  'iso88591',
  'latin1',
  'latin-1',
  'l1',
]);

/** Characters of one call, since there is a limit to its arguments. */
const stretch = 8192;

function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += stretch) text += String.fromCharCode(...bytes.subarray(at, at + stretch));
  return text;
}
