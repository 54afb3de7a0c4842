import type { Entry } from './entry.ts';

/** What is wrong with an entry by the rules of section 1 (ERR-010 to ERR-015), in a sentence that names the member. */
export function checkEntry(entry: Entry): string | undefined {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(entry.error_name))
    return '`error_name` must be lower-case words joined by _';
  return undefined;
}
