import type { PostgresDriver } from '@packhouse/base';

/** Rows of a repository without a push, by table, and the column that has its id. Names are made from the new ids. */
const tables = [
  {
    table: 'catalog_repos',
    id: 'id',
    others: `'name', 'copy-' || i, 'folded', 'copy-' || i, 'created_at', created_at - i`,
  },
  { table: 'catalog_tokens', id: 'repo_id', others: `'id', lpad(i::text, 16, '0'), 'created_at', created_at - i` },
  { table: 'repos', id: 'id', others: `'name', 'copy-' || i` },
  { table: 'tokens', id: 'repo_id', others: `'created_at', created_at - i` },
] as const;

/**
 * Copies the rows of a repository without a push to that many others, numbered from `first`. A hundred thousand
 * creations would take many minutes, and are measured apart.
 */
export const copyRepositories = async (
  driver: PostgresDriver,
  template: string,
  first: number,
  count: number,
): Promise<void> => {
  await driver.transaction(async (session) => {
    for (const { table, id, others } of tables) {
      const changed = `jsonb_build_object('${id}', lpad(i::text, 16, '0'), ${others})`;
      await session.rows(
        `INSERT INTO packhouse.${table} SELECT (jsonb_populate_record(one, ${changed})).*
         FROM packhouse.${table} AS one, generate_series($2::int8, $3::int8) AS i WHERE one.${id} = $1`,
        [template, first, first + count - 1],
      );
    }
    await session.rows(
      `UPDATE packhouse.catalog_namespaces SET repo_count = repo_count + $2
       FROM packhouse.catalog_repos AS one
       WHERE one.id = $1 AND one.account = catalog_namespaces.account AND one.namespace = catalog_namespaces.folded`,
      [template, count],
    );
  });
  await driver.rows('ANALYZE');
};
