/** What {@link toSql} has to know of a database. */
export interface SqlDialect {
  /** Most parameters of a statement. */
  readonly parametersMax: number;
  /** A name of a table or column, quoted. */
  quoteName(name: string): string;
  /** The placeholder of a parameter by its number, from 1. */
  placeholder(number: number): string;
  /** A condition that a column equals one of the texts of a JSON array, which is the parameter at `placeholder`. */
  oneOfJson(column: string, placeholder: string): string;
}
