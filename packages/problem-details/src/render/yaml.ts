// Scalars of the frontmatter, written so that YAML 1.1 and 1.2 parsers read the same (ERR-056 to ERR-060).
import { isMisread } from '../catalogue/misread-word.ts';

/**
 * Characters that must be escaped between double quotes. ERR-060 lists all of them except U+FFFE and U+FFFF. YAML does
 * not count those as printable (YAML 1.2.2 §5.1), and parsers refuse them, so ERR-056 requires their escapes, too. With
 * the flag `u`, surrogates match only if unpaired.
 */
// oxlint-disable-next-line no-misleading-character-class
const special = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/u;
const allSpecial = new RegExp(special.source, 'gu');

const short: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Formats a string in double quotes (ERR-060). */
export const quoted = (text: string): string =>
  special.test(text) ? `"${text.replace(allSpecial, escapeOne)}"` : `"${text}"`;

/** Formats a host name (ERR-059). */
export const zoneScalar = (zone: string): string =>
  /^[a-z]([a-z0-9.-]*[a-z0-9])?$/.test(zone) && !isMisread(zone) ? zone : quoted(zone);

/** Formats a ray id (ERR-058): plain if no parser takes its digits for a number, else quoted. */
export const rayIdScalar = (rayId: string): string =>
  /^[0-9a-f]+$/.test(rayId) && !/^[0-9]*e?[0-9]+$/.test(rayId) ? rayId : quoted(rayId);

/** Formats a time `YYYY-MM-DDThh:mm:ssZ` (ERR-057). */
export const timestampScalar = (timestamp: string): string =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(timestamp) ? timestamp : quoted(timestamp);

/**
 * Formats the name of an error or category: plain (ERR-057), unless a parser would take it for something other than
 * text, such as `yes` or `e5` (ERR-056). Catalogues refuse such names, but reports can be made without one.
 */
export const nameScalar = (name: string): string =>
  /^[a-z][a-z0-9_]*$/.test(name) && !isMisread(name) ? name : quoted(name);

/** Formats the name of a member: plain if it is an identifier. */
export const key = (name: string): string => (/^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? name : quoted(name));

/** Formats the value of an own code's member. */
export const extensionScalar = (value: string | number | boolean): string =>
  typeof value === 'string' ? quoted(value) : String(value);
