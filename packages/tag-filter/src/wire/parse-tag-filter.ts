import { checkFilter, type TagFilter, type TagFilterInput } from '../filter/tag-filter.ts';
import { TagFilterError } from '../filter/tag-filter-error.ts';
import { decode, FormError } from './decode.ts';

/**
 * Parses one filter, given as the percent-encoded value of `tag=` in a query (section 10). Takes linear time.
 *
 * @throws {TagFilterError} 1007, 1011, 1014, 1013 or 1012, in the order of TAG-152.
 */
export function parseTagFilter(text: string): TagFilter {
  return parseFilterAt(text);
}

/** Does the same as {@link parseTagFilter} for the filter at a position of a query, from 1. */
export function parseFilterAt(text: string, position?: number): TagFilter {
  try {
    return checkFilter(readForm(text), position);
  } catch (error) {
    if (error instanceof FormError) throw new TagFilterError(1007, error.message, position);
    throw error;
  }
}

/** Parses the form of a filter without checking its key and values (TAG-081 to TAG-087). */
function readForm(text: string): TagFilterInput {
  if (text === '') throw new FormError('empty filter');
  // `%3D` cannot match inside another triplet, because no triplet contains `%`, unless the text has a broken triplet
  // anyway.
  const operator = /=|%3D/i.exec(text);
  if (operator === null) return readPresence(decode(text));
  const before = text.slice(0, operator.index);
  const after = text.slice(operator.index + operator[0].length);
  const bang = /(?:!|%21)$/.exec(before);
  const key = decode(bang === null ? before : before.slice(0, bang.index));
  if (key.startsWith('!')) throw new FormError('"!" before the key together with an operator');
  return { key, test: bang === null ? 'one-of' : 'none-of', values: readValues(after, operator[0] === '=') };
}

function readPresence(text: string): TagFilterInput {
  return text.startsWith('!') ? { key: text.slice(1), test: 'lacks' } : { key: text, test: 'has' };
}

/** Splits values. After a literal operator, only literal commas separate them (TAG-082, TAG-083). */
function readValues(text: string, literal: boolean): readonly string[] {
  return literal ? text.split(',').map(decode) : decode(text).split(',');
}
