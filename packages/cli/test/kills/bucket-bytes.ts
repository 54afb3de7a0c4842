import { setTimeout as wait } from 'node:timers/promises';
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
export async function compareBucket({
  databaseUrl,
  store,
}: Pick<SharedWorld, 'databaseUrl' | 'store'>): Promise<readonly string[]> {
  const driver = openNodePostgres(databaseUrl);
  const rows = await driver.rows<{ id: string; by: string }>(named);
  await driver.close();
  const keys = store.keys().filter((key) => !key.startsWith(`${prefix}/database-`));
  const ids = new Set(rows.map(({ id }) => id));
  const files = new Set(keys.map((key) => key.slice(key.lastIndexOf('/') + 1)));
  return [
    ...keys.filter((key) => !ids.has(/([^/]+?)\.(?:pack|idx|graph)(?:\.upload)?$/.exec(key)?.[1] ?? '')),
    ...rows.flatMap(({ id, by }) =>
      by === 'stored' ? ['pack', 'idx', 'graph'].map((kind) => `${id}.${kind}`).filter((name) => !files.has(name)) : [],
    ),
  ];
}

const day = 25 * 3_600_000;
/** Milliseconds after which sweeps remove each leftover. */
const longestStay = 23 * 3_600_000;

/** Makes all that waits for its removal a day older. Clocks of servers stay as they are. */
const dayLater = [
  ['uploads', 'begun_at'],
  ['pack_holders', 'held_at'],
  ['packs', 'retired_at'],
  ['repos', 'maintain_at'],
  ['catalog_deleted', 'deleted_at'],
  ['catalog_deleted', 'due'],
].map(([table, column]) => `UPDATE packhouse.${table} SET ${column} = ${column} - ${day}`);
const endLeases = 'DELETE FROM packhouse.leases';

/**
 * Selects leftovers that sweeps and maintenance should have removed before a time. A prepared pack stays while it is of
 * use.
 */
const overdue = `
  SELECT 'reserved ' || id AS what FROM packhouse.uploads WHERE prepared_key IS NULL AND begun_at < $1
  UNION ALL SELECT 'replaced ' || id FROM packhouse.packs WHERE retired_at < $1
  UNION ALL SELECT 'deleted ' || id FROM packhouse.catalog_deleted WHERE deleted_at < $1 AND due IS NOT NULL
  UNION ALL SELECT 'held ' || pack_id FROM packhouse.pack_holders AS h WHERE held_at < $1
    AND NOT EXISTS (SELECT FROM packhouse.packs AS p WHERE p.repo_id = h.repo_id AND p.id = h.pack_id)`;

/** Lets a day pass while no server runs. The next server that starts finds no leases. */
export async function passDay(databaseUrl: string): Promise<void> {
  const driver = openNodePostgres(databaseUrl);
  for (const statement of [...dayLater, endLeases]) await driver.rows(statement);
  await driver.close();
}

/**
 * Lets a day pass while no server runs, and starts a server until its sweeps have nothing left to do. Returns what they
 * leave.
 */
export async function sweepAfterDay(world: SharedWorld): Promise<readonly string[]> {
  await passDay(world.databaseUrl);
  const driver = openNodePostgres(world.databaseUrl);
  const left = async (): Promise<readonly string[]> =>
    (await driver.rows<{ what: string }>(overdue, [Date.now() - longestStay])).map(({ what }) => what);
  let found = await left();
  console.log(`${found.length} leftovers wait for their sweep`);
  for (const deadline = Date.now() + 600_000; found.length > 0 && Date.now() < deadline; found = await left()) {
    // A server sweeps when it starts, and not more than 100 deleted repositories at once.
    await driver.rows(endLeases);
    await world.killServer(0);
    await wait(4_000);
    await world.servers[0]?.stop();
  }
  await driver.close();
  return found;
}
