import type { BuiltInCode } from './built-in-codes.ts';
import { builtInEntries } from './built-in.ts';
import { checkEntry } from './check-entry.ts';
import type { Entry, EntryTexts, OwnCategory, OwnEntry } from './entry.ts';

/** The errors that an app knows: the built-in ones and its own. */
export interface Catalogue {
  /** In the order of codes. */
  readonly entries: readonly Entry[];
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
  readonly texts?: { readonly [code in BuiltInCode]?: Partial<EntryTexts> } | undefined;
}

/** A catalogue that an app may not have, with the entry and the member in its message (ERR-143). */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
}

/**
 * The built-in catalogue with an app's own codes and texts.
 *
 * @throws CatalogueError naming the entry and what is wrong with it (ERR-143).
 */
export function createCatalogue({ ownCodes = [], texts = {} }: CatalogueOptions = {}): Catalogue {
  const byCode = new Map<number, Entry>(builtInEntries.map((entry) => [entry.code, entry]));
  for (const [code, replaced] of Object.entries(texts)) {
    const entry = byCode.get(Number(code));
    if (entry !== undefined) byCode.set(entry.code, { ...entry, ...replaced });
  }
  const own = new Set<number>();
  for (const entry of ownCodes) {
    const fault = checkEntry(entry);
    if (fault !== undefined) throw new CatalogueError(`own code ${entry.code}: ${fault}`);
    byCode.set(entry.code, entry);
    own.add(entry.code);
  }
  const entries = [...byCode.values()].sort((one, other) => one.code - other.code);
  return { entries, get: (code) => byCode.get(code), isOwn: (code) => own.has(code) };
}
