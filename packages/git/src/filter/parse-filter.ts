import { kindNumber, type ObjectKind } from '../object/kind.ts';
import { printable } from '../wire/capabilities.ts';
import { RequestRefusedError } from '../wire/request-error.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.ts';
import type { FilterPart, FilterSpec } from './filter-spec.ts';

/** Maximum number of characters of a filter; its longest part is a ref with a path. */
const lengthMax = 8192;
const partsMax = 64;
/** Maximum depth of `combine:` within `combine:`, each percent-encoded once more. */
const nestingMax = 8;

/**
 * Reads a filter's text.
 *
 * @throws {RequestRefusedError} GIT-085; GIT-083 for `sparse:path`.
 */
export function parseFilter(text: string): FilterSpec {
  const parts: FilterPart[] = [];
  if (text.length > lengthMax || !text.isWellFormed() || !addParts(text, parts, 0)) throw invalidFilter(text);
  return { text, parts };
}

/** Makes the error for an invalid filter, or one with missing patterns (GIT-085). */
export function invalidFilter(text: string): RequestRefusedError {
  return new RequestRefusedError(`invalid filter-spec '${printable(text, lengthMax)}'`);
}

/** False if the text is not a filter. */
function addParts(text: string, parts: FilterPart[], nesting: number): boolean {
  const combined = after(text, 'combine:');
  if (combined === undefined) {
    const part = simplePart(text);
    if (part === undefined || parts.length === partsMax) return false;
    parts.push(part);
    return true;
  }
  if (nesting === nestingMax) return false;
  return combined.split('+').every((encoded) => {
    const decoded = percentDecoded(encoded);
    return decoded !== undefined && addParts(decoded, parts, nesting + 1);
  });
}

function simplePart(text: string): FilterPart | undefined {
  if (text === 'blob:none') return { kind: 'blob:none' };
  const limit = after(text, 'blob:limit=');
  if (limit !== undefined) {
    const bytes = numberWithUnit(limit);
    return bytes === undefined ? undefined : { kind: 'blob:limit', bytes };
  }
  const depth = after(text, 'tree:');
  if (depth !== undefined) {
    const levels = numberWithUnit(depth);
    return levels === undefined ? undefined : { kind: 'tree', depth: levels };
  }
  const type = after(text, 'object:type=');
  if (type !== undefined)
    return Object.hasOwn(kindNumber, type) ? { kind: 'object:type', type: type as ObjectKind } : undefined;
  const name = after(text, 'sparse:oid=');
  if (name !== undefined) return name === '' || name.includes('\0') ? undefined : { kind: 'sparse:oid', name };
  // Stock git also dropped this filter (GIT-083).
  if (text.startsWith('sparse:path=')) throw new RequestRefusedError('sparse:path filters support has been dropped');
  return undefined;
}

/** A number in the form of Git's options: `k`, `m` and `g` multiply by powers of 1,024. */
function numberWithUnit(text: string): number | undefined {
  const [, digits, suffix = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? [];
  return digits === undefined ? undefined : number(digits, 10 * ' kmg'.indexOf(suffix.toLowerCase() || ' '));
}

/** The largest number in Git: 64 bits. */
const numberMax = 0xffff_ffff_ffff_ffffn;

/** A number with so many zero bits behind it. Above what this language counts exactly, one is as large as another. */
function number(digits: string, shift: number): number | undefined {
  // Longer ones would take long to convert. A zero in front makes it octal in Git: no client sends that.
  if (digits.length > 20 || (digits.length > 1 && digits.startsWith('0'))) return undefined;
  const value = BigInt(digits) << BigInt(shift);
  return value > numberMax ? undefined : Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

/** Characters that Git requires to be percent-encoded in a part (list-objects-filter-options.c). */
// eslint-disable-next-line no-control-regex -- control bytes are among them
const reserved = /[\x00-\x20~`!@#$^&*()[\]{}\\;'",<>?]/;

function percentDecoded(text: string): string | undefined {
  if (reserved.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return undefined;
  if (!text.includes('%')) return text;
  const bytes: number[] = [];
  for (const [piece] of text.matchAll(/%..|[^%]+/gsu)) {
    if (piece.startsWith('%')) bytes.push(Number.parseInt(piece.slice(1), 16));
    else bytes.push(...encodeUtf8(piece));
  }
  return decodeUtf8(Uint8Array.from(bytes));
}

function after(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}
