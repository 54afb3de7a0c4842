export { etagOf } from './etag/etag-of.ts';
export { ifMatch } from './etag/if-match.ts';
export { filterValuesMax, tagFiltersMax } from './filter/limits.ts';
export {
  createTagFilter,
  type PresenceFilter,
  type TagFilter,
  type TagFilterInput,
  type TagFilterValues,
  type ValueFilter,
} from './filter/tag-filter.ts';
export { TagFilterError, type TagFilterErrorCode } from './filter/tag-filter-error.ts';
export { foldCase } from './match/fold-case.ts';
export { type CaseOptions, matches } from './match/matches.ts';
export type { SqlDialect } from './sql/dialect.ts';
export { postgres } from './sql/postgres.ts';
export { sqlite } from './sql/sqlite.ts';
export { type SqlCondition, type SqlOptions, type TagTable, toSql } from './sql/to-sql.ts';
export { checkTagKey, parseTagKey, type TagKey, tagKeyMax } from './tag/tag-key.ts';
export { checkTagValue, isScalarText, parseTagValue, type TagValue, tagValueMax } from './tag/tag-value.ts';
export type { Tags } from './tag/tags.ts';
export { formatTagFilter, formatTagFilters } from './wire/format-tag-filter.ts';
export { parseTagFilter } from './wire/parse-tag-filter.ts';
export { parseTagFilters } from './wire/parse-tag-filters.ts';
