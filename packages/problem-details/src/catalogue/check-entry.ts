import { checkTexts } from './check-texts.ts';
import type { Entry } from './entry.ts';
import { isMisread } from './misread-word.ts';

/** Lower-case words joined by `_` (ERR-010). */
const nameForm = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

const longestName = 100;

/** Maximum of `retry_after` in seconds (ERR-152). */
const longestWait = 2_147_483_647;

/** Returns the required beginning of `what_you_should_do` (ERR-014). */
export function directiveOf(retryable: boolean): string {
  return retryable ? '**Wait and retry.** ' : '**Do not retry.** ';
}

/**
 * Checks a single entry (ERR-010 to ERR-015). Returns its first fault in a sentence that names the member, or
 * undefined. Does not check if code and name are unique and the category is known: that needs the catalogue.
 *
 * @param entry may have missing members and wrong types.
 */
export function checkEntry(entry: Entry): string | undefined {
  return checkCode(entry) ?? checkWait(entry) ?? checkParty(entry) ?? checkTexts(entry, directiveOf(entry.retryable));
}

function checkCode({ code, http_status, category, error_name }: Entry): string | undefined {
  if (!isWhole(code, 500, 999_999_999)) return '`code` must be a whole number from 500 to 999,999,999';
  if (!isWhole(http_status, 400, 599)) return '`http_status` must be a whole number from 400 to 599 (ERR-011)';
  if (code < 1000 && http_status !== code) return '`http_status` must be the code below 1000 (ERR-011)';
  if (!isName(category)) return '`category` must be lower-case words joined by `_`';
  if (!isName(error_name)) return '`error_name` must be lower-case words joined by `_` (ERR-010)';
  // The Markdown form writes the name without quotes (ERR-057).
  if (isMisread(error_name)) return '`error_name` must not be a word that YAML reads as something else (ERR-056)';
  return undefined;
}

/** Tests if a value is a valid name of an entry or category: at most 100 characters. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName && nameForm.test(value);
}

function checkWait(entry: Entry): string | undefined {
  if (typeof entry.retryable !== 'boolean') return '`retryable` must be true or false';
  if (!entry.retryable)
    return entry.retry_after === undefined ? undefined : '`retry_after` must be absent if not `retryable` (ERR-012)';
  return isWhole(entry.retry_after, 0, longestWait)
    ? undefined
    : '`retry_after` must be whole seconds, from 0 to 2,147,483,647, if `retryable` (ERR-012)';
}

function checkParty({ responsible, owner_action_required }: Entry): string | undefined {
  if (!['visitor', 'owner', 'platform'].includes(responsible))
    return '`responsible` must be `visitor`, `owner` or `platform`';
  return owner_action_required === (responsible === 'owner')
    ? undefined
    : '`owner_action_required` must be true if `responsible` is `owner`, else false (ERR-012)';
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
