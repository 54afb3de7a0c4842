import type { PostgresDriver } from '@packhouse/base';
import type { CommitOutcome, RepoChange } from '@packhouse/git';
import { queueBytesMax } from '@packhouse/hosting';
import { applyUpdates } from '../../repo-state/apply-updates.ts';
import { checkChange, exactnessAfter } from '../../repo-state/change.ts';
import { waitingBytes } from './events.ts';
import { addShallow, addTips, addUploadedBlobs } from './object-records.ts';
import { findKeyedResult, findOutcome, recordKeyedResult, recordOutcome } from './outcomes.ts';
import { addPacks, clearExact, judgePacks } from './packs.ts';
import { recordHistory, trimHistory } from './ref-history.ts';
import { loadRefTable } from './ref-table.ts';
import { gone, lockRepo } from './repo-row.ts';
import { recordEvents } from './record-events.ts';

/**
 * Implements `RepoState.commit` in two round trips: one for the lock and all reads, one for all writes and the commit of
 * the transaction.
 */
export function commitChange(driver: PostgresDriver, repo: string, change: RepoChange): Promise<CommitOutcome> {
  checkChange(change);
  const { pushId, at, updates, uploaded = [], keyed } = change;
  const isHeard = updates.some(({ event }) => event !== undefined && event.webhooksOnly !== true);
  return driver.transaction(async (session): Promise<CommitOutcome> => {
    const [row, recorded, result, packs, waiting, refs] = await Promise.all([
      lockRepo(session, repo),
      findOutcome<CommitOutcome>(session, repo, pushId, at),
      keyed && findKeyedResult(session, repo, keyed.key, at),
      judgePacks(session, repo, change.leansOn),
      isHeard ? waitingBytes(session, repo) : 0,
      loadRefTable(session, repo, updates),
    ]);
    if (row === undefined) throw gone();
    if (recorded !== undefined) return recorded;
    if (result !== undefined) return { kind: 'repeated', result };
    // Not recorded: nothing was applied, and the caller retries with the same id.
    if (!packs.holdsAll) return { kind: 'packs changed' };
    if (waiting >= queueBytesMax) return { kind: 'events full' };
    const applied = applyUpdates(refs, updates, change.atomic);
    const isChange = applied.changed || uploaded.length > 0;
    const version = row.version + (isChange ? 1 : 0);
    const done: CommitOutcome = { kind: 'done', version, updates: applied.outcomes };
    recordOutcome(session, repo, pushId, at, done);
    if (!isChange) return done;
    refs.write(session, repo, applied);
    recordEvents(session, row, applied.events);
    const exactness = exactnessAfter(packs.held, change.addPacks.length, applied);
    if (packs.isExact && !exactness.old) clearExact(session, repo);
    addPacks(session, repo, change.addPacks, { isExact: exactness.added, at, lastPosition: row.last_position });
    addTips(session, repo, applied.retired, at);
    addShallow(session, repo, change.addShallow);
    addUploadedBlobs(session, repo, uploaded, at);
    if (keyed !== undefined) recordKeyedResult(session, repo, keyed, at);
    const history = recordHistory(session, repo, version, applied, row.ref_changes);
    void session.rows(
      `UPDATE packhouse.repos SET version = $2, pushed_at = CASE WHEN $3 THEN $4 ELSE pushed_at END,
         ref_count = ref_count + $5, last_position = last_position + $6, maintain_at = least(maintain_at, $4),
         ref_changes = $7, oldest_refs = coalesce($8, oldest_refs)
       WHERE id = $1`,
      [
        repo,
        version,
        applied.changed && change.isImport !== true,
        at,
        applied.added,
        change.addPacks.length,
        history.changes,
        history.oldest,
      ],
    );
    trimHistory(session, repo, history);
    return done;
  });
}
