import type { TagFilter } from '../filter/tag-filter.ts';
import { foldCase } from '../match/fold-case.ts';
import type { CaseOptions } from '../match/matches.ts';
import type { SqlDialect } from './dialect.ts';
import { sqlite } from './sqlite.ts';

/** A table with a row for each tag. Its columns hold text and compare it byte by byte, as SQLite does by default. */
export interface TagTable {
  /** Its name, not quoted. */
  readonly name: string;
  /** The id of the resource in the query around the condition, as SQL: `resources.id`. Inserted as it is. */
  readonly resource: string;
  /** Names of its columns, not quoted. */
  readonly columns: {
    /** The id of the resource that has the tag. */
    readonly resource: string;
    readonly key: string;
    readonly value: string;
    /** `foldCase` of key and value. Read only with `caseInsensitive`. */
    readonly foldedKey: string;
    readonly foldedValue: string;
  };
}

export interface SqlOptions extends CaseOptions {
  readonly table: TagTable;
  /** `sqlite` by default. */
  readonly dialect?: SqlDialect;
  /** Number of the first parameter, where a dialect numbers them; 1 by default. */
  readonly firstParameter?: number;
}

/** A condition for a `WHERE`, and the values of its placeholders in their order: texts all. */
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
 * @throws {RangeError} if there are more parameters than the dialect has. Filters of one query never have.
 */
export function toSql(filters: readonly TagFilter[], options: SqlOptions): SqlCondition {
  const { dialect = sqlite, firstParameter = 1 } = options;
  const parameters: string[] = [];
  const bind = (text: string): string => dialect.placeholder(firstParameter + parameters.push(text) - 1);
  const conditions = filters.map((filter) => conditionOf(filter, options, dialect, bind));
  if (parameters.length > dialect.parametersMax) {
    throw new RangeError(`${filters.length} filters take ${parameters.length} parameters, of ${dialect.parametersMax}`);
  }
  return { sql: conditions.length === 0 ? '1 = 1' : conditions.join(' AND '), parameters };
}

function conditionOf(
  filter: TagFilter,
  { table, caseInsensitive = false }: SqlOptions,
  dialect: SqlDialect,
  bind: (text: string) => string,
): string {
  const { columns } = table;
  const column = (name: string): string => `${alias}.${dialect.quoteName(name)}`;
  const fold = caseInsensitive ? foldCase : String;
  const equalities = [
    `${column(columns.resource)} = ${table.resource}`,
    `${column(caseInsensitive ? columns.foldedKey : columns.key)} = ${bind(fold(filter.key))}`,
  ];
  if ('values' in filter) {
    const value = column(caseInsensitive ? columns.foldedValue : columns.value);
    const texts = filter.values.map((text) => fold(text));
    equalities.push(
      texts.length === 1 ? `${value} = ${bind(texts[0] ?? '')}` : dialect.oneOfJson(value, bind(JSON.stringify(texts))),
    );
  }
  const negation = filter.test === 'lacks' || filter.test === 'none-of' ? 'NOT ' : '';
  const from = `${dialect.quoteName(table.name)} AS ${alias}`;
  return `${negation}EXISTS (SELECT 1 FROM ${from} WHERE ${equalities.join(' AND ')})`;
}
