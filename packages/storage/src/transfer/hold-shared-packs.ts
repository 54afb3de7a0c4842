import type { PostgresSession } from '@packhouse/base';

/**
 * Notes which repositories have the same pack, as `PackHolders` does for a bucket: in a folder, each has a link. A deleted
 * repository whose bytes are still to be removed counts, or its removal would take the pack of a fork.
 */
export async function holdSharedPacks(session: PostgresSession): Promise<void> {
  await session.rows(
    `INSERT INTO packhouse.pack_holders (account, pack_id, repo_id, held_at)
     SELECT account, pack_id, repo_id, held_at FROM (
       SELECT *, count(*) OVER (PARTITION BY account, pack_id) AS holders FROM (
         SELECT r.account, p.id AS pack_id, p.repo_id, p.at AS held_at
         FROM packhouse.packs AS p JOIN packhouse.repos AS r ON r.id = p.repo_id
         WHERE p.place = 'store' AND NOT r.erased
         UNION
         SELECT d.account, pack_id, d.id, d.deleted_at
         FROM packhouse.catalog_deleted AS d CROSS JOIN jsonb_array_elements_text(d.packs::jsonb) AS pack_id
         WHERE d.due IS NOT NULL AND NOT EXISTS (SELECT FROM packhouse.repos WHERE id = d.id AND NOT erased)
       ) AS held) AS counted
     WHERE holders > 1`,
  );
}
