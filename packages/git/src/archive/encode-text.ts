import { decodeUtf8 } from '../bytes/utf8.ts';
import { isLatin1 } from '../content/text-encoding.ts';

type Encode = (utf8: Uint8Array) => Uint8Array | undefined;

/**
 * Returns what encodes UTF-8 for a `working-tree-encoding`: UTF-16, UTF-32, or an encoding of one byte per character.
 * Undefined for UTF-8, and for other encodings, whose files stay UTF-8.
 */
export function encoderOf(label: string): Encode | undefined {
  const name = label.toLowerCase();
  const wide = /^utf-?(16|32)(?:([lb]e)(-bom)?)?$/.exec(name);
  if (wide !== null) {
    const [, bits, order, mark] = wide;
    if (bits === '32' && mark !== undefined) return undefined;
    // Without an order, the C library of Linux writes a byte order mark and its own order.
    const form = {
      bytes: bits === '16' ? 2 : 4,
      isLittle: order !== 'be',
      isMarked: order === undefined || mark !== undefined,
    };
    return (utf8) => encodeWide(utf8, form);
  }
  const table = tableOf(name);
  return table === undefined ? undefined : (utf8) => encodeByTable(utf8, table);
}

interface WideForm {
  /** Bytes per unit: 2 or 4. */
  readonly bytes: number;
  readonly isLittle: boolean;
  /** True if a byte order mark comes first. */
  readonly isMarked: boolean;
}

function encodeWide(utf8: Uint8Array, { bytes, isLittle, isMarked }: WideForm): Uint8Array | undefined {
  const text = decodeUtf8(utf8);
  if (text === undefined) return undefined;
  const encoded = new DataView(new ArrayBuffer(bytes * (text.length + 1)));
  let at = 0;
  const put = (unit: number): void => {
    if (bytes === 2) encoded.setUint16(at, unit, isLittle);
    else encoded.setUint32(at, unit, isLittle);
    at += bytes;
  };
  if (isMarked) put(0xfeff);
  for (let i = 0; i < text.length; i++) {
    const unit = bytes === 2 ? text.charCodeAt(i) : (text.codePointAt(i) as number);
    put(unit);
    if (unit > 0xffff) i++;
  }
  return new Uint8Array(encoded.buffer, 0, at);
}

/** By character, its byte. */
function tableOf(name: string): ReadonlyMap<string, number> | undefined {
  const table = new Map<string, number>();
  if (isLatin1(name)) {
    for (let byte = 0; byte < 256; byte++) table.set(String.fromCharCode(byte), byte);
    return table;
  }
  try {
    const decoder = new TextDecoder(name);
    if (!/^(?:windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac)/.test(decoder.encoding)) return undefined;
    for (let byte = 0; byte < 256; byte++) {
      const character = decoder.decode(Uint8Array.of(byte));
      // Bytes without a character are decoded as controls by the web's tables, and refused by those of Git.
      const isMissing = character === '\ufffd' || (byte >= 0x80 && character.charCodeAt(0) === byte && byte < 0xa0);
      if (!isMissing) table.set(character, byte);
    }
    return table;
  } catch {
    return undefined;
  }
}

function encodeByTable(utf8: Uint8Array, table: ReadonlyMap<string, number>): Uint8Array | undefined {
  const text = decodeUtf8(utf8);
  if (text === undefined) return undefined;
  const encoded = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = table.get(text[i] as string);
    if (byte === undefined) return undefined;
    encoded[i] = byte;
  }
  return encoded;
}
