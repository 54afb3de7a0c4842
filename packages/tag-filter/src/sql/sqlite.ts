import { quoteName, type SqlDialect } from './dialect.ts';

/** SQLite within the limits of Durable Object SQL: 100 parameters, and no long patterns for `LIKE`. */
export const sqlite: SqlDialect = {
  parametersMax: 100,
  quoteName,
  placeholder: () => '?',
  oneOfJson: (column, placeholder) => `${column} IN (SELECT json_each.value FROM json_each(${placeholder}))`,
};
