import { parseTagFilters, TagFilterError, type TagFilterErrorCode } from '@packhouse/tag-filter';
import { countCharacters } from '@packhouse/base';
import type { TaggedResourceList } from '../model/tag-store.ts';
import type { Registry } from '../registry/registry.ts';
import { requireType } from '../registry/require-type.ts';
import { TaggingError, type TaggingErrorKind } from '../model/tagging-error.ts';
import { invalidParameter, Parameters } from './parameters.ts';
import { isResourceText } from './resource-text.ts';

/** Maximum number of `id` parameters (TAG-138). */
const idsMax = 50;

/** Maximum length of `name` in characters (TAG-139). */
const nameMax = 256;

/**
 * Parses the query of a list of resources.
 *
 * @throws {TaggingError} in the order of TAG-152, up to the cursor.
 */
export function readListQuery(registry: Registry, query: string): TaggedResourceList {
  const filters = readFilters(query);
  const given = new Parameters(query, ['type', 'id', 'name', 'case_insensitive']);
  const types = given.all('type').map((name) => requireType(registry, name, undefined, '/type').type);
  const ids = given.all('id');
  if (ids.length > idsMax || !ids.every(isResourceText)) throw invalidParameter('id');
  const name = given.one('name') ?? '';
  if (countCharacters(name) > nameMax) throw invalidParameter('name');
  const caseInsensitive = given.one('case_insensitive') ?? 'false';
  if (caseInsensitive !== 'true' && caseInsensitive !== 'false') throw invalidParameter('case_insensitive');
  return {
    types: distinct(types),
    ids: distinct(ids),
    name,
    filters,
    caseInsensitive: caseInsensitive === 'true',
  };
}

/** Removes duplicates and sorts, so that equal lists have equal cursors. */
function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

function readFilters(query: string): TaggedResourceList['filters'] {
  try {
    return parseTagFilters(query);
  } catch (error) {
    if (!(error instanceof TagFilterError)) throw error;
    // Too many filters are not the fault of a single one (TAG-025).
    const detail = error.code === 1010 ? {} : { detail: error.reason };
    throw new TaggingError(kinds[error.code], { pointer: '/tag', ...detail });
  }
}

const kinds: Readonly<Record<TagFilterErrorCode, TaggingErrorKind>> = {
  1007: 'filterForm',
  1010: 'tooManyFilters',
  1011: 'keyTooLong',
  1012: 'valueTooLong',
  1013: 'tooManyValues',
  1014: 'invalidKey',
};
