import { quoteName, type SqlDialect } from './dialect.ts';

/** PostgreSQL. Texts are equal byte by byte in any collation that is deterministic, as all are by default. */
export const postgres: SqlDialect = {
  parametersMax: 65_535,
  quoteName,
  placeholder: (number) => `$${number}`,
  oneOfJson: (column, placeholder) => `${column} = ANY (ARRAY (SELECT json_array_elements_text(${placeholder}::json)))`,
};
