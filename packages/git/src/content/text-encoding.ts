import { toByteText } from '../bytes/byte-text.ts';
import { decodeLossy } from '../bytes/utf8.ts';

/**
 * Decodes the texts of one commit by its `encoding` header (REPO-055). Like Git, treats all of them as UTF-8 if the
 * encoding is unknown, or one of them is malformed in it. Malformed UTF-8 becomes U+FFFD.
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

/** Decodes a text by the label of its encoding; undefined for UTF-8, unknown encodings and malformed text. */
export function decodeLabelled(bytes: Uint8Array, label: string | undefined): string | undefined {
  try {
    return decoderOf(label)?.(bytes);
  } catch {
    return undefined;
  }
}

type Decode = (bytes: Uint8Array) => string;

/** Returns undefined for UTF-8 and unknown encodings. A decoder throws for malformed bytes. */
function decoderOf(label: string | undefined): Decode | undefined {
  const name = (label ?? 'utf-8').trim().toLowerCase();
  if (isLatin1(name)) return (bytes) => toByteText(bytes);
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

/** Tests if a name in lower case means ISO-8859-1. */
export function isLatin1(name: string): boolean {
  return latin1Names.has(name);
}
