import { CatalogueError } from './catalogue-error.ts';
import { checkEntry, isName } from './check-entry.ts';
import type { Entry, OwnCategory, OwnEntry } from './entry.ts';

/** The codes that are an app's own (ERR-142). */
export const firstOwnCode = 2000;
const lastOwnCode = 999_999_999;

const members = new Set([
  'code',
  'short_name',
  'http_status',
  'category',
  'error_name',
  'retryable',
  'retry_after',
  'owner_action_required',
  'responsible',
  'detail',
  'what_you_should_do',
]);

/**
 * Checks and copies the entries that an app registers (ERR-142 to ERR-144).
 *
 * @param builtIn entries whose codes and names are taken, and whose categories are available.
 * @throws CatalogueError
 */
export function ownEntries(
  ownCodes: readonly OwnEntry[],
  ownCategories: readonly OwnCategory[],
  builtIn: readonly Entry[],
): readonly Entry[] {
  const known = new Set([...builtIn.map((entry) => entry.category), ...ownCategories.map(checkedCategory)]);
  const codes = new Set(builtIn.map((entry) => entry.code));
  const names = new Set(builtIn.map((entry) => entry.error_name));
  return ownCodes.map((given, index) => {
    const entry = Object.freeze({ ...given });
    const refuse = (fault: string): never => {
      const called = typeof entry.code === 'number' ? `own code ${entry.code}` : `own code at index ${index}`;
      throw new CatalogueError(called, fault);
    };
    for (const member of Object.keys(entry))
      if (!members.has(member)) refuse(`\`${member.slice(0, 100)}\` is no member of an own code (ERR-142)`);
    if (!Number.isInteger(entry.code) || entry.code < firstOwnCode || entry.code > lastOwnCode)
      refuse('`code` must be a whole number from 2,000 to 999,999,999 (ERR-142)');
    const fault = checkEntry(entry);
    if (fault !== undefined) refuse(fault);
    if (codes.has(entry.code)) refuse('`code` is taken (ERR-143)');
    if (names.has(entry.error_name)) refuse(`\`error_name\` ${entry.error_name} is taken (ERR-143)`);
    if (!known.has(entry.category)) refuse('`category` must be a built-in one or one of the own categories (ERR-144)');
    codes.add(entry.code);
    names.add(entry.error_name);
    return entry;
  });
}

function checkedCategory(category: unknown): string {
  if (isName(category) && category.startsWith('x_')) return category;
  const called = typeof category === 'string' ? category.slice(0, 100) : typeof category;
  throw new CatalogueError(`own category ${called}`, 'must be named `x_` and lower-case words joined by `_` (ERR-144)');
}
