import { checkLabel, checkPlainText, checkTexts } from '../catalogue/check-texts.ts';
import type { Entry, EntryTexts } from '../catalogue/entry.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { englishLabels } from './labels.ts';
import type { Labels } from './report.ts';

/** The texts of an error in one language (ERR-147). The rules of section 1 hold for them (ERR-150). */
export interface LocalTexts extends EntryTexts {
  /** One line of plain text. */
  readonly footer: string;
  readonly labels: Labels;
}

/** How an app brings languages besides English (ERR-147, ERR-148). */
export interface Localisation {
  /** Language tags (RFC 5646) that `texts` is asked for. */
  readonly languages: readonly string[];
  /** The texts of an entry, or nothing if there are none in this language. The texts in `entry` are the English ones. */
  texts(entry: Entry, language: string): LocalTexts | undefined | Promise<LocalTexts | undefined>;
}

/**
 * The texts of an entry in a language, or nothing, which means English: there are none, some are missing or break a rule
 * of section 1, or the hook throws (ERR-147, ERR-150).
 *
 * @param refused Is told why texts that are there are not used.
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

/** The members that count, read once each: what was checked is what is shown. */
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
