import type { PostgresDriver } from './driver.ts';

/**
 * For tests: changes the schema as a next release may. Each table gets another column with a default, and each list of
 * migrations another entry.
 */
export function extendSchema(driver: PostgresDriver): Promise<void> {
  return driver.transaction(async (session) => {
    const tables = await session.rows<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'packhouse' ORDER BY tablename",
    );
    for (const { name } of tables)
      await session.rows(`ALTER TABLE packhouse.${name} ADD next_release int NOT NULL DEFAULT 7`);
    await session.rows(
      `INSERT INTO packhouse.schema_migrations (list, position, name)
       SELECT list, max(position) + 1, 'next release' FROM packhouse.schema_migrations GROUP BY list`,
    );
  }, 'long');
}
