import type { TagFilter } from '../filter/tag-filter.ts';
import { foldCase } from '../match/fold-case.ts';
import type { CaseOptions } from '../match/matches.ts';
import type { SqlDialect } from './dialect.ts';
import { sqlite } from './sqlite.ts';

/** A table with one row per tag. Its text columns compare byte by byte, the default of SQLite and PostgreSQL. */
export interface TagTable {
  /** Unquoted schema. Default: the database finds the table. */
  readonly schema?: string;
  /** Unquoted name. */
  readonly name: string;
  /**
   * SQL expression for the resource id in the enclosing query, such as `resources.id`. It is inserted verbatim. Qualify
   * it with its table, since a bare `id` would mean a column of the tag table if that has one.
   */
  readonly resource: string;
  /** Unquoted column names. */
  readonly columns: {
    /** Id of the resource that has the tag. */
    readonly resource: string;
    readonly key: string;
    readonly value: string;
    /** `foldCase` of key and value. Required and read only with `caseInsensitive`. */
    readonly foldedKey?: string;
    readonly foldedValue?: string;
  };
}

export interface SqlOptions extends CaseOptions {
  readonly table: TagTable;
  /** Default: `sqlite`. */
  readonly dialect?: SqlDialect;
  /**
   * Number of the first parameter, one more than the statement has before the condition. Counts towards the parameter
   * limit and numbers the placeholders of dialects that have numbers. Default: 1.
   */
  readonly firstParameter?: number;
}

/** A condition for `WHERE`, and the values of its placeholders in order. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Alias of the tag table, so that the condition can still use names of the enclosing query. */
const alias = 'matched_tag';

/**
 * Compiles filters to an SQL condition that is true if and only if `matches` is. It has one `EXISTS` or `NOT EXISTS`
 * per filter, which an index on resource, key and value (or their folded forms) answers. The SQL contains no text of a
 * filter; a list of values is one JSON parameter.
 *
 * @throws {RangeError} if the statement, with the parameters before the condition, exceeds the limit of the dialect.
 * Filters of one query take at most 40.
 * @throws {TypeError} for `caseInsensitive` without folded columns in the table.
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
  const path = [table.schema, table.name].flatMap((name) => (name === undefined ? [] : [dialect.quoteName(name)]));
  const from = `${path.join('.')} AS ${alias}`;
  return `${negation}EXISTS (SELECT 1 FROM ${from} WHERE ${equalities.join(' AND ')})`;
}

/** Returns the columns of keys and values in the compared form. */
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
