/** Properties of a database that {@link toSql} needs. */
export interface SqlDialect {
  /** Maximum number of parameters in a statement. */
  readonly parametersMax: number;
  /** Quotes the name of a table or column. */
  quoteName(name: string): string;
  /** Returns the placeholder of a parameter by its number, from 1. */
  placeholder(number: number): string;
  /** Returns a condition that a column equals one of the texts in a JSON array, the parameter at `placeholder`. */
  oneOfJson(column: string, placeholder: string): string;
}

/** Quotes a name as standard SQL does. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
