import type { Entry, EntryTexts } from '../catalogue/entry.ts';
import type { Labels } from './report.ts';

/** The texts of an error in one language (ERR-147). */
export interface LocalTexts extends EntryTexts {
  readonly footer: string;
  readonly labels: Labels;
}

/** How an app brings languages besides English (ERR-147, ERR-148). */
export interface Localisation {
  /** Language tags (RFC 5646) that `texts` is asked for. */
  readonly languages: readonly string[];
  /** The texts of an entry, or nothing if there are none in this language. */
  texts(entry: Entry, language: string): LocalTexts | undefined | Promise<LocalTexts | undefined>;
}

/** The texts of an entry in a language, or nothing for English: there are none, not all, or the hook throws (ERR-147). */
export async function localTexts(
  localisation: Localisation,
  entry: Entry,
  language: string,
): Promise<LocalTexts | undefined> {
  try {
    return await localisation.texts(entry, language);
  } catch {
    return undefined;
  }
}
