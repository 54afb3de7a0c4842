/** UTF-8 as Git's names need it: nothing is replaced and no byte order mark disappears. */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** The UTF-8 bytes of `text`. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes; `undefined` if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Text of bytes where what is not valid UTF-8 may be replaced: for words of the protocol and for messages. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Bytes that `text` takes in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // A surrogate pair takes 4 bytes for its two units; a lone one is encoded as U+FFFD in 3.
    if (code < 0x800) length += 1;
    else if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      length += 2;
      i++;
    } else length += 2;
  }
  return length;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
