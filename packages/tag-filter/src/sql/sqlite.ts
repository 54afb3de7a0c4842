import type { SqlDialect } from './dialect.ts';

/** SQLite, with what the SQL of a Durable Object allows: 100 parameters, and no patterns for `LIKE` that are long. */
export const sqlite: SqlDialect = {
  parametersMax: 100,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  oneOfJson: (column, placeholder) => `${column} IN (SELECT json_each.value FROM json_each(${placeholder}))`,
};
