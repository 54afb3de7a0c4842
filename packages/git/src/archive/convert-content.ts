import type { Attributes } from '../attributes/folder-attributes.ts';
import type { AttributeValue } from '../attributes/parse-attributes.ts';
import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import type { ObjectId } from '../object/object-id.ts';
import { encoderOf } from './encode-text.ts';

/** How the attributes of a file change its content on the way out of the repository (gitattributes(5)). */
export interface Conversion {
  /** True if `$Id$` becomes the id of the blob. */
  readonly ident: boolean;
  /** `text`: LF becomes CRLF; `auto`: only in what looks like text with LF alone. */
  readonly crlf: 'text' | 'auto' | undefined;
  /** Encodes UTF-8 in another encoding; undefined if the content is not UTF-8, or has characters that it lacks. */
  readonly encode: ((utf8: Uint8Array) => Uint8Array | undefined) | undefined;
}

/** Returns undefined if the attributes change no content. Without settings, the line end of the platform is LF. */
export function conversionOf(attributes: Attributes): Conversion | undefined {
  const ident = attributes.get('ident') === true;
  const crlf = crlfOf(attributes);
  const label = attributes.get('working-tree-encoding');
  const encode = typeof label === 'string' ? encoderOf(label) : undefined;
  return ident || crlf !== undefined || encode !== undefined ? { ident, crlf, encode } : undefined;
}

function crlfOf(attributes: Attributes): Conversion['crlf'] {
  // `crlf` is the old name of `text`.
  const text = textOf(attributes.get('text')) ?? textOf(attributes.get('crlf'));
  if (text === 'no' || attributes.get('eol') !== 'crlf') return undefined;
  return text === 'auto' ? 'auto' : 'text';
}

function textOf(value: AttributeValue | undefined): 'yes' | 'no' | 'auto' | undefined {
  if (value === true || value === 'input') return 'yes';
  if (value === false) return 'no';
  return value === 'auto' ? 'auto' : undefined;
}

/** Applies a conversion in Git's order. Returns the same bytes if nothing changes. */
export function convertContent(content: Uint8Array, oid: ObjectId, { ident, crlf, encode }: Conversion): Uint8Array {
  let bytes = ident ? withIdent(content, oid) : content;
  if (crlf !== undefined && mayBecomeCrlf(bytes, crlf)) bytes = withCrlf(bytes);
  return (bytes.length === 0 ? undefined : encode?.(bytes)) ?? bytes;
}

/**
 * `$Id$`, and forms that Git itself has expanded: up to the next `$` on the line, with no space inside except one behind
 * the first character and one at the end.
 */
const identKeyword = /\$Id(?::(?:[^$\n][^$\n ]* ?)?)?\$/g;

function withIdent(content: Uint8Array, oid: ObjectId): Uint8Array {
  const text = toByteText(content);
  const expanded = text.replaceAll(identKeyword, `$$Id: ${oid} $$`);
  return expanded === text ? content : fromByteText(expanded);
}

const [carriageReturn, lineFeed] = [13, 10];

function mayBecomeCrlf(bytes: Uint8Array, crlf: 'text' | 'auto'): boolean {
  const found = countKinds(bytes);
  if (found.loneLf === 0) return false;
  if (crlf === 'text') return true;
  // Git takes content for binary by more than one other byte among 128 printable ones.
  return found.cr === 0 && found.nul === 0 && Math.floor(found.printable / 128) >= found.other;
}

interface Kinds {
  loneLf: number;
  /** All CR, those before an LF included. */
  cr: number;
  nul: number;
  printable: number;
  /** Control bytes that text does not have, NUL included. */
  other: number;
}

function countKinds(bytes: Uint8Array): Kinds {
  const kinds: Kinds = { loneLf: 0, cr: 0, nul: 0, printable: 0, other: 0 };
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === lineFeed) {
      if (bytes[i - 1] !== carriageReturn) kinds.loneLf++;
    } else if (byte === carriageReturn) kinds.cr++;
    else if (byte === 0) {
      kinds.nul++;
      kinds.other++;
    } else if ((byte >= 32 && byte !== 127) || isTextControl(byte)) kinds.printable++;
    else kinds.other++;
  }
  // A last Ctrl-Z ends a text of DOS.
  if (bytes.at(-1) === 26) kinds.other--;
  return kinds;
}

/** Backspace, tab, form feed and escape. */
function isTextControl(byte: number): boolean {
  return byte === 8 || byte === 9 || byte === 12 || byte === 27;
}

function withCrlf(bytes: Uint8Array): Uint8Array {
  let added = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === lineFeed && bytes[i - 1] !== carriageReturn) added++;
  const converted = new Uint8Array(bytes.length + added);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === lineFeed && bytes[i - 1] !== carriageReturn) converted[at++] = carriageReturn;
    converted[at++] = byte;
  }
  return converted;
}
