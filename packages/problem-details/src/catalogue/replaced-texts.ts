import type { BuiltInCode } from './built-in-codes.ts';
import { CatalogueError } from './catalogue-error.ts';
import { directiveOf } from './check-entry.ts';
import { checkTexts } from './check-texts.ts';
import type { Entry, EntryTexts } from './entry.ts';

/** Replacement texts for built-in codes (ERR-146). */
export type ReplacedTexts = { readonly [code in BuiltInCode]?: Partial<EntryTexts> };

const members = ['short_name', 'detail', 'what_you_should_do'];

/**
 * Replaces texts of the built-in entries with those of an app.
 *
 * @throws CatalogueError for an invalid text, or for members other than texts of built-in codes.
 */
export function withTexts(builtIn: readonly Entry[], texts: ReplacedTexts): readonly Entry[] {
  const given = new Map<string, Partial<EntryTexts> | undefined>(Object.entries(texts));
  const entries = builtIn.map((entry) => {
    const replaced = given.get(String(entry.code));
    given.delete(String(entry.code));
    return replaced === undefined ? entry : replace(entry, replaced);
  });
  for (const code of given.keys())
    throw new CatalogueError(
      `texts of ${code.slice(0, 100)}`,
      'no built-in code; own codes bring their texts (ERR-146)',
    );
  return entries;
}

function replace(entry: Entry, texts: Partial<EntryTexts>): Entry {
  const called = `texts of ${entry.code}`;
  if (typeof texts !== 'object' || texts === null) throw new CatalogueError(called, 'must be an object');
  for (const member of Object.keys(texts))
    if (!members.includes(member))
      throw new CatalogueError(called, `\`${member.slice(0, 100)}\` of a built-in code cannot be replaced (ERR-146)`);
  const replaced = Object.freeze({ ...entry, ...texts });
  const fault = checkTexts(replaced, directiveOf(entry.retryable));
  if (fault !== undefined) throw new CatalogueError(called, fault);
  return replaced;
}
