import { builtInEntries } from './built-in.ts';
import type { Entry, OwnCategory, OwnEntry } from './entry.ts';
import { ownEntries } from './own-codes.ts';
import { type ReplacedTexts, withTexts } from './replaced-texts.ts';

/** All errors of an app: the built-in ones and its own. */
export interface Catalogue {
  /** Sorted by code. */
  readonly entries: readonly Entry[];
  /** Returns the entry of a code, or undefined. */
  get(code: number): Entry | undefined;
  /** Tests if the app registered this code (ERR-142). */
  isOwn(code: number): boolean;
}

/** Additions to the built-in catalogue, and replacements of its texts. */
export interface CatalogueOptions {
  /** Codes from 2,000 to 999,999,999 (ERR-142). */
  readonly ownCodes?: readonly OwnEntry[] | undefined;
  /** Additional categories for own codes (ERR-144). */
  readonly ownCategories?: readonly OwnCategory[] | undefined;
  /** Replacements of built-in texts (ERR-146). */
  readonly texts?: ReplacedTexts | undefined;
}

/**
 * Makes a catalogue of the built-in codes and an app's own codes and texts. Copies the options, so later changes have
 * no effect.
 *
 * @throws CatalogueError naming the entry and its fault (ERR-143).
 */
export function createCatalogue({ ownCodes = [], ownCategories = [], texts = {} }: CatalogueOptions = {}): Catalogue {
  const builtIn = withTexts(builtInEntries, texts);
  const own = ownEntries(ownCodes, ownCategories, builtIn);
  const entries = [...builtIn, ...own.toSorted((one, other) => one.code - other.code)];
  const byCode = new Map(entries.map((entry) => [entry.code, entry]));
  const ownOnes = new Set(own.map((entry) => entry.code));
  return { entries, get: (code) => byCode.get(code), isOwn: (code) => ownOnes.has(code) };
}
