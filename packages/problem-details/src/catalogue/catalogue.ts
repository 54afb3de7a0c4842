import { builtInEntries } from './built-in.ts';
import type { Entry, OwnCategory, OwnEntry } from './entry.ts';
import { ownEntries } from './own-codes.ts';
import { type ReplacedTexts, withTexts } from './replaced-texts.ts';

/** The errors that an app knows: the built-in ones and its own. */
export interface Catalogue {
  /** In the order of codes. */
  readonly entries: readonly Entry[];
  /** The entry of a code, or nothing if there is none. */
  get(code: number): Entry | undefined;
  /** Whether the app has registered this code itself (ERR-142). */
  isOwn(code: number): boolean;
}

/** What an app adds to the built-in catalogue and replaces in it. */
export interface CatalogueOptions {
  /** Codes from 2,000 to 999,999,999 (ERR-142). */
  readonly ownCodes?: readonly OwnEntry[] | undefined;
  /** Categories of own codes that are not built in (ERR-144). */
  readonly ownCategories?: readonly OwnCategory[] | undefined;
  /** Texts instead of the built-in ones (ERR-146). */
  readonly texts?: ReplacedTexts | undefined;
}

/**
 * The built-in catalogue with an app's own codes and texts. It keeps copies: what happens to the options later does not
 * reach it.
 *
 * @throws CatalogueError naming the entry and what is wrong with it (ERR-143).
 */
export function createCatalogue({ ownCodes = [], ownCategories = [], texts = {} }: CatalogueOptions = {}): Catalogue {
  const builtIn = withTexts(builtInEntries, texts);
  const own = ownEntries(ownCodes, ownCategories, builtIn);
  const entries = [...builtIn, ...own.toSorted((one, other) => one.code - other.code)];
  const byCode = new Map(entries.map((entry) => [entry.code, entry]));
  const ownOnes = new Set(own.map((entry) => entry.code));
  return { entries, get: (code) => byCode.get(code), isOwn: (code) => ownOnes.has(code) };
}
