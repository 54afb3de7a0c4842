// How a value stands in the frontmatter, so that a YAML 1.1 and a YAML 1.2 reader get the same (ERR-056 to ERR-060).
import { isMisread } from '../catalogue/misread-word.ts';

/**
 * What may not stand as it is between double quotes. ERR-060 lists all but U+FFFE and U+FFFF, which YAML does not count
 * as printable (YAML 1.2.2 §5.1) and readers refuse, so that ERR-056 asks for their escapes too. With the flag `u` the
 * surrogates match alone, never as halves of a pair.
 */
// oxlint-disable-next-line no-misleading-character-class
const special = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/u;
const allSpecial = new RegExp(special.source, 'gu');

const short: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A string between double quotes (ERR-060). */
export const quoted = (text: string): string =>
  special.test(text) ? `"${text.replace(allSpecial, escapeOne)}"` : `"${text}"`;

/** A host name (ERR-059). */
export const zoneScalar = (zone: string): string =>
  /^[a-z]([a-z0-9.-]*[a-z0-9])?$/.test(zone) && !isMisread(zone) ? zone : quoted(zone);

/** A ray id (ERR-058): hexadecimal digits that no reader takes for a number, or quoted. */
export const rayIdScalar = (rayId: string): string =>
  /^[0-9a-f]+$/.test(rayId) && !/^[0-9]*e?[0-9]+$/.test(rayId) ? rayId : quoted(rayId);

/** A time of the form `YYYY-MM-DDThh:mm:ssZ` (ERR-057). */
export const timestampScalar = (timestamp: string): string =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(timestamp) ? timestamp : quoted(timestamp);

/**
 * The name of an error or of a category: plain (ERR-057), unless a reader would take it for something other than text,
 * such as `yes` or `e5` (ERR-056). A catalogue refuses such names; reports can be made without one.
 */
export const nameScalar = (name: string): string =>
  /^[a-z][a-z0-9_]*$/.test(name) && !isMisread(name) ? name : quoted(name);

/** Name of a member: plain where it is an identifier. */
export const key = (name: string): string => (/^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? name : quoted(name));

/** Value of a member that an own code adds. */
export const extensionScalar = (value: string | number | boolean): string =>
  typeof value === 'string' ? quoted(value) : String(value);
