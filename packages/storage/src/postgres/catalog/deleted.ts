import { type Catalog, type DeletedRepo, foldName, type RepoRecord } from '@packhouse/hosting';
import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import {
  deletedColumns,
  deletedOf,
  type DeletedRow,
  deletionOf,
  recordText,
  rememberedOf,
} from '../../catalog/deleted-row.ts';
import { selectRepos } from './repo-select.ts';
import { searchText } from './texts.ts';

type Deletions = Pick<
  Catalog,
  'deleteRepo' | 'dropRepo' | 'dueErasures' | 'notePacks' | 'setErasureDue' | 'forgetErased'
>;

/** Deletes repos of one account in PostgreSQL, and keeps those whose bytes remain or whose names are remembered. */
export function postgresDeletions(driver: PostgresDriver, account: string): Deletions {
  return {
    deleteRepo: (namespace, name, at, rememberedSince, within) => {
      const names = [namespace, name].map((one) => foldName(searchText(one)));
      return driver.transaction(async (session) => {
        const locked = selectRepos(session, 'r.namespace = $2 AND r.folded = $3 FOR UPDATE OF r', [account, ...names]);
        const remembered = session.rows<DeletedRow>(
          `SELECT ${deletedColumns} FROM packhouse.catalog_deleted
           WHERE account = $1 AND namespace = $2 AND folded = $3 AND deleted_at > $4 AND remembered
           ORDER BY deleted_at DESC, id LIMIT 1`,
          [account, ...names, rememberedSince],
        );
        const [[found], [last]] = await Promise.all([locked, remembered]);
        if (found !== undefined && within?.includes(found.id) === false) return { kind: 'missing' };
        if (found !== undefined)
          return { kind: 'deleted', repo: remove(session, account, found, at, true), erased: false };
        return last === undefined ? { kind: 'missing' } : { kind: 'remembered', ...rememberedOf(last) };
      });
    },
    dropRepo: (id, at) =>
      driver.transaction(async (session) => {
        const [found] = await selectRepos(session, "r.id = $2 AND r.status <> 'ready' FOR UPDATE OF r", [account, id]);
        return found && remove(session, account, found, at, false);
      }),
    async dueErasures(at) {
      const rows = await driver.rows<DeletedRow>(
        `SELECT ${deletedColumns} FROM packhouse.catalog_deleted WHERE account = $1 AND due <= $2 ORDER BY due LIMIT 100`,
        [account, at],
      );
      return rows.map(deletedOf);
    },
    async notePacks(id, packs) {
      await driver.rows('UPDATE packhouse.catalog_deleted SET packs = $3 WHERE account = $1 AND id = $2', [
        account,
        id,
        JSON.stringify(packs),
      ]);
    },
    async setErasureDue(id, due) {
      await driver.rows('UPDATE packhouse.catalog_deleted SET due = $3 WHERE account = $1 AND id = $2', [
        account,
        id,
        due,
      ]);
    },
    async forgetErased(before) {
      await driver.rows(
        'DELETE FROM packhouse.catalog_deleted WHERE account = $1 AND due IS NULL AND deleted_at < $2',
        [account, before],
      );
    },
  };
}

/** Removes a locked repo, with its tokens. The statement goes out together with the commit. */
function remove(
  session: PostgresSession,
  account: string,
  repo: RepoRecord,
  at: number,
  remembered: boolean,
): DeletedRepo {
  const deleted = deletionOf(repo, at);
  void session.rows(
    `WITH gone AS (
       DELETE FROM packhouse.catalog_repos WHERE account = $1 AND id = $2 RETURNING namespace, folded, bytes),
     counted AS (
       UPDATE packhouse.catalog_namespaces AS n
       SET repo_count = n.repo_count - 1, updated_at = greatest(n.updated_at, $4::bigint)
       FROM gone WHERE n.account = $1 AND n.folded = gone.namespace),
     freed AS (
       INSERT INTO packhouse.catalog_byte_changes (account, difference) SELECT $1, -bytes FROM gone WHERE bytes <> 0)
     INSERT INTO packhouse.catalog_deleted
       (account, id, namespace, folded, jurisdiction, deleted_at, remembered, due, packs, record)
     SELECT $1, $2, namespace, folded, $3, $4, $5::boolean, $4, '[]', $6 FROM gone`,
    [account, deleted.id, deleted.jurisdiction, at, remembered, recordText(deleted)],
  );
  return deleted;
}
