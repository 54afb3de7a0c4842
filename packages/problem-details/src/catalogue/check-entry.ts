import { checkTexts } from './check-texts.ts';
import type { Entry } from './entry.ts';
import { isMisread } from './misread-word.ts';

/** Lower-case words joined by `_` (ERR-010). */
const nameForm = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

const longestName = 100;

/** Seconds (ERR-152). */
const longestWait = 2_147_483_647;

/** What `what_you_should_do` begins with (ERR-014). */
export function directiveOf(retryable: boolean): string {
  return retryable ? '**Wait and retry.** ' : '**Do not retry.** ';
}

/**
 * What is wrong with an entry by itself (ERR-010 to ERR-015), in a sentence that names the member, or nothing. Whether
 * its code and name are taken, and its category known, only a catalogue can tell.
 *
 * @param entry Any value: a member may be missing or of another type.
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
  // The Markdown form has it without quotes (ERR-057).
  if (isMisread(error_name)) return '`error_name` must not be a word that YAML reads as something else (ERR-056)';
  return undefined;
}

/** Whether a value is a name of an entry or a category: at most 100 characters. */
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
