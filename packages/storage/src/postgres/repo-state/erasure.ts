import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import type { RecordedEvent } from '@packhouse/git';
import { addEvents, dropUnpublished, dropWaiting, releaseEvents } from './events.ts';
import { forListener } from '../../repo-state/event-lanes.ts';
import { dropQueue, queueEvents } from '../webhooks/webhook-queue.ts';
import type { RepoRow } from './repo-row.ts';

/** Tables whose rows go with their repository. */
const tables = [
  'refs',
  'ref_history',
  'retired_tips',
  'uploaded_blobs',
  'keyed_results',
  'pack_files',
  'packs',
  'shallow',
  'outcomes',
  'tokens',
];

/**
 * Erases the state of a repository (REPO-116). Records all its packs in the store as begun uploads, even retired ones, so
 * that their bytes can be found and removed. Waits for reservations that are being made.
 */
export function eraseRepo(driver: PostgresDriver, repo: string, event: RecordedEvent | undefined): Promise<void> {
  return driver.transaction(async (session) => {
    // Also marks a repository that never began: its creation may be running, and must not succeed.
    void session.rows(
      `INSERT INTO packhouse.repos
         (id, account, namespace, name, default_branch, read_only, status, version, erased)
       VALUES ($1, '', '', '', '', false, '', 0, true) ON CONFLICT (id) DO NOTHING`,
      [repo],
    );
    const row = await lockForErasure(session, repo);
    if (row?.erased === false && event !== undefined) {
      await releaseEvents(session, repo);
      addEvents(session, row, forListener([event]), false);
      queueEvents(session, row, [event]);
    } else if (row?.erased === false) {
      await dropUnpublished(session, repo);
      dropQueue(session, repo);
    }
    void session.rows(
      `INSERT INTO packhouse.uploads (repo_id, id, begun_at)
       SELECT repo_id, id, at FROM packhouse.packs WHERE repo_id = $1 AND place = 'store'
       ON CONFLICT (repo_id, id) DO NOTHING`,
      [repo],
    );
    for (const table of tables) void session.rows(`DELETE FROM packhouse.${table} WHERE repo_id = $1`, [repo]);
    void session.rows(
      `UPDATE packhouse.repos SET account = '', namespace = '', name = '', default_branch = '', status = '',
         maintain_at = NULL, erased = true WHERE id = $1`,
      [repo],
    );
  });
}

/** Forgets an erased repository completely. Returns false if events wait, unless `isUnheard`. */
export function forgetRepo(driver: PostgresDriver, repo: string, isUnheard: boolean): Promise<boolean> {
  return driver.transaction(async (session) => {
    const row = await lockForErasure(session, repo);
    if (row?.erased !== true) return true;
    const queued = await session.rows(
      `SELECT 1 FROM packhouse.event_queues WHERE repo_id = $1 AND NOT $2
       UNION ALL SELECT 1 FROM packhouse.webhook_queues WHERE repo_id = $1`,
      [repo, isUnheard],
    );
    if (queued.length > 0) return false;
    dropWaiting(session, repo);
    void session.rows('DELETE FROM packhouse.webhooks WHERE owner = $1', [repo]);
    void session.rows('DELETE FROM packhouse.uploads WHERE repo_id = $1', [repo]);
    void session.rows('DELETE FROM packhouse.repos WHERE id = $1', [repo]);
    return true;
  });
}

/** Locks the row of a repository, even an erased one, also against reservations. */
async function lockForErasure(session: PostgresSession, repo: string): Promise<RepoRow | undefined> {
  const [row] = await session.rows<RepoRow>('SELECT * FROM packhouse.repos WHERE id = $1 FOR UPDATE', [repo]);
  return row;
}
