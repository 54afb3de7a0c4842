import type { TagFilter } from '../filter/tag-filter.ts';
import { foldCase } from '../match/fold-case.ts';
import type { CaseOptions } from '../match/matches.ts';
import type { SqlDialect } from './dialect.ts';
import { sqlite } from './sqlite.ts';

/** A table with a row for each tag. Its columns hold text and compare it byte by byte, as SQLite does by default. */
export interface TagTable {
  /** Its name, not quoted. */
  readonly name: string;
  /**
   * The id of the resource in the query around the condition, as SQL: `resources.id`. Inserted as it is. With the name
   * of its table, since a bare `id` would be that of the tags if these have one.
   */
  readonly resource: string;
  /** Names of its columns, not quoted. */
  readonly columns: {
    /** The id of the resource that has the tag. */
    readonly resource: string;
    readonly key: string;
    readonly value: string;
    /** `foldCase` of key and value. Needed and read only with `caseInsensitive`. */
    readonly foldedKey?: string;
    readonly foldedValue?: string;
  };
}

export interface SqlOptions extends CaseOptions {
  readonly table: TagTable;
  /** `sqlite` by default. */
  readonly dialect?: SqlDialect;
  /**
   * Number of the first parameter: one more than stand before the condition. It counts for the limit of parameters, and
   * for placeholders where a dialect numbers them. 1 by default.
   */
  readonly firstParameter?: number;
}

/** One condition for a `WHERE`, and the values of its placeholders in their order: texts all. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** What the table of tags is called in the condition; names of the query around it stay visible beside it. */
const alias = 'matched_tag';

/**
 * The SQL condition that a resource matches all of the filters: true exactly where `matches` is. It is one `EXISTS` or
 * `NOT EXISTS` for each filter, which an index on resource, key and value (or their folded forms) answers. Nothing of a
 * filter stands in the SQL; a list of values is one parameter, as JSON.
 *
 * @throws {RangeError} if there are more parameters than the dialect has, with those before the condition. Filters of
 * one query take at most 40.
 * @throws {TypeError} with `caseInsensitive` if the table has no folded columns.
 */
export function toSql(filters: readonly TagFilter[], options: SqlOptions): SqlCondition {
  const { dialect = sqlite, firstParameter = 1 } = options;
  const parameters: string[] = [];
  const bind = (text: string): string => dialect.placeholder(firstParameter + parameters.push(text) - 1);
  const conditions = filters.map((filter) => conditionOf(filter, options, dialect, bind));
  const before = firstParameter - 1;
  if (before + parameters.length > dialect.parametersMax) {
    const taken = `${filters.length} filters take ${parameters.length} parameters and ${before} stand before them`;
    throw new RangeError(`${taken}: more than ${dialect.parametersMax}`);
  }
  const [only = '1 = 1'] = conditions;
  return { sql: conditions.length > 1 ? `(${conditions.join(' AND ')})` : only, parameters };
}

function conditionOf(
  filter: TagFilter,
  { table, caseInsensitive = false }: SqlOptions,
  dialect: SqlDialect,
  bind: (text: string) => string,
): string {
  const columns = comparedColumns(table, caseInsensitive);
  const column = (name: string): string => `${alias}.${dialect.quoteName(name)}`;
  const fold = caseInsensitive ? foldCase : String;
  const equalities = [
    `${column(table.columns.resource)} = ${table.resource}`,
    `${column(columns.key)} = ${bind(fold(filter.key))}`,
  ];
  if (filter.test === 'one-of' || filter.test === 'none-of') {
    const value = column(columns.value);
    const texts = filter.values.map((text) => fold(text));
    equalities.push(
      texts.length === 1 ? `${value} = ${bind(texts[0] ?? '')}` : dialect.oneOfJson(value, bind(JSON.stringify(texts))),
    );
  }
  const negation = filter.test === 'lacks' || filter.test === 'none-of' ? 'NOT ' : '';
  const from = `${dialect.quoteName(table.name)} AS ${alias}`;
  return `${negation}EXISTS (SELECT 1 FROM ${from} WHERE ${equalities.join(' AND ')})`;
}

/** Names of the columns that hold keys and values in the form in which they are compared. */
function comparedColumns(
  { columns }: TagTable,
  caseInsensitive: boolean,
): { readonly key: string; readonly value: string } {
  if (!caseInsensitive) return columns;
  const { foldedKey: key, foldedValue: value } = columns;
  if (key === undefined || value === undefined) {
    throw new TypeError('caseInsensitive needs the columns foldedKey and foldedValue');
  }
  return { key, value };
}
