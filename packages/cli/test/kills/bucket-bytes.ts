import { openNodePostgres } from '@packhouse/base/node-postgres';
import { prefix, type SharedWorld } from './shared-world.ts';

/** The packs that rows of the database name, by what names them. */
const named = `
  SELECT id, 'stored' AS by FROM packhouse.packs WHERE place = 'store'
  UNION ALL SELECT id, 'reserved' FROM packhouse.uploads
  UNION ALL SELECT pack_id, 'held' FROM packhouse.pack_holders
  UNION ALL SELECT jsonb_array_elements_text(packs::jsonb), 'deleted' FROM packhouse.catalog_deleted
    WHERE due IS NOT NULL`;

/**
 * Compares the objects in the bucket with the rows of the database. Returns objects that no row names, so no sweep would
 * ever remove them, and packs of repositories whose objects are missing.
 */
export async function compareBucket(world: SharedWorld): Promise<readonly string[]> {
  const driver = openNodePostgres(world.databaseUrl);
  const rows = await driver.rows<{ id: string; by: string }>(named);
  await driver.close();
  const keys = world.store.keys().filter((key) => !key.startsWith(`${prefix}/database-`));
  const ids = new Set(rows.map(({ id }) => id));
  const files = new Set(keys.map((key) => key.slice(key.lastIndexOf('/') + 1)));
  return [
    ...keys.filter((key) => !ids.has(/([^/]+?)\.(?:pack|idx|graph)(?:\.upload)?$/.exec(key)?.[1] ?? '')),
    ...rows.flatMap(({ id, by }) =>
      by === 'stored' ? ['pack', 'idx', 'graph'].map((kind) => `${id}.${kind}`).filter((name) => !files.has(name)) : [],
    ),
  ];
}
