import { checkLabel, checkPlainText, checkTexts } from '../catalogue/check-texts.ts';
import type { Entry, EntryTexts } from '../catalogue/entry.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { englishLabels } from './labels.ts';
import type { Labels } from './report.ts';

/** Texts of an error in one language (ERR-147). They must follow the rules of section 1 (ERR-150). */
export interface LocalTexts extends EntryTexts {
  /** One line of plain text. */
  readonly footer: string;
  readonly labels: Labels;
}

/** Languages of an app besides English (ERR-147, ERR-148). */
export interface Localisation {
  /** Language tags (RFC 5646) for which `texts` is called. */
  readonly languages: readonly string[];
  /** Returns the texts of an entry in a language, or undefined. `entry` has the English texts. */
  texts(entry: Entry, language: string): LocalTexts | undefined | Promise<LocalTexts | undefined>;
}

/**
 * Returns the texts of an entry in a language. Returns undefined, which means English, if texts are missing or invalid,
 * or the hook throws (ERR-147, ERR-150).
 *
 * @param refused receives the reason why texts are not used.
 */
export async function localTexts(
  localisation: Localisation,
  entry: Entry,
  language: string,
  refused: (reason: string) => void = () => undefined,
): Promise<LocalTexts | undefined> {
  let texts: LocalTexts | undefined;
  try {
    texts = copyOf(await localisation.texts(entry, language));
  } catch (error) {
    refused(`texts of ${entry.code} in ${language}: ${describeThrown(error).message}`);
    return undefined;
  }
  const fault = texts && localFault(texts);
  if (fault === undefined) return texts;
  refused(`texts of ${entry.code} in ${language}: ${fault}`);
  return undefined;
}

const labelNames = Object.keys(englishLabels) as (keyof Labels)[];

/** Reads each member once, so that the texts shown are the checked ones. */
function copyOf(texts: LocalTexts | null | undefined): LocalTexts | undefined {
  if (texts === null || texts === undefined) return undefined;
  const { short_name, detail, what_you_should_do, footer, labels } = texts;
  return { short_name, detail, what_you_should_do, footer, labels: { ...labels } };
}

function localFault(texts: LocalTexts): string | undefined {
  const labels: Partial<Labels> = texts.labels;
  return [
    checkTexts(texts),
    checkPlainText('footer', texts.footer),
    ...labelNames.map((name) => checkLabel(name, labels[name])),
  ].find((fault) => fault !== undefined);
}
