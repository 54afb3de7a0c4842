import type { TagFilter } from '../filter/tag-filter.ts';
import type { Tags } from '../tag/tags.ts';
import { foldCase } from './fold-case.ts';

/** Options for comparing filters with tags. */
export interface CaseOptions {
  /** Ignore the case of keys and values (TAG-070, TAG-071). Default: `false`. */
  readonly caseInsensitive?: boolean;
}

/**
 * Tests if tags match a filter, or all of several filters (TAG-067, TAG-086). An empty list of filters matches all
 * tags.
 */
export function matches(
  filters: TagFilter | readonly TagFilter[],
  tags: Tags,
  { caseInsensitive = false }: CaseOptions = {},
): boolean {
  const valuesOf = caseInsensitive ? foldedValues(tags) : exactValues(tags);
  const all = 'test' in filters ? [filters] : filters;
  return all.every((filter) => matchesOne(filter, valuesOf, caseInsensitive ? foldCase : unchanged));
}

/** Returns the values of a key. There may be several if keys that differ only in case are equal. */
type ValuesOf = (key: string) => readonly string[];

function matchesOne(filter: TagFilter, valuesOf: ValuesOf, fold: (text: string) => string): boolean {
  const values = valuesOf(filter.key);
  switch (filter.test) {
    case 'has':
      return values.length > 0;
    case 'lacks':
      return values.length === 0;
    case 'one-of':
      return hasOneOf(values, filter.values, fold);
    case 'none-of':
      return !hasOneOf(values, filter.values, fold);
  }
}

function hasOneOf(values: readonly string[], listed: readonly string[], fold: (text: string) => string): boolean {
  return values.some((value) => listed.some((item) => fold(item) === value));
}

function exactValues(tags: Tags): ValuesOf {
  return (key) => (Object.hasOwn(tags, key) ? [tags[key] ?? ''] : []);
}

function foldedValues(tags: Tags): ValuesOf {
  const folded = new Map<string, string[]>();
  for (const [key, value] of Object.entries(tags)) {
    const values = folded.get(foldCase(key));
    if (values === undefined) folded.set(foldCase(key), [foldCase(value)]);
    else values.push(foldCase(value));
  }
  return (key) => folded.get(foldCase(key)) ?? [];
}

function unchanged(text: string): string {
  return text;
}
