import type { PostgresDriver, PostgresSession, PostgresValue } from '@packhouse/base';
import { RepoGoneError } from '@packhouse/git';
import type { RepoHead, RepoStatus } from '@packhouse/hosting';

export interface RepoRow {
  readonly account: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly default_branch: string;
  readonly read_only: boolean;
  readonly status: RepoStatus;
  readonly erased: boolean;
  readonly version: number;
  readonly revision: number;
  readonly pushed_at: number | null;
  readonly oldest_refs: number;
  readonly ref_changes: number;
  readonly ref_count: number;
  readonly last_position: number;
}

/**
 * Locks the row of a repository until the transaction ends, so that its changes happen one after the other, on all
 * servers. A statement after this one sees all changes before it.
 *
 * @returns undefined if the repository was erased or never began.
 */
export async function lockRepo(session: PostgresSession, repo: string): Promise<RepoRow | undefined> {
  const [row] = await session.rows<RepoRow>(
    'SELECT * FROM packhouse.repos WHERE id = $1 AND NOT erased FOR NO KEY UPDATE',
    [repo],
  );
  return row;
}

/** Runs `work` in a transaction on an existing repository, which is locked. */
export function changeRepo<T>(
  driver: PostgresDriver,
  repo: string,
  work: (session: PostgresSession, row: RepoRow) => Promise<T>,
): Promise<T> {
  return driver.transaction(async (session) => {
    const row = await lockRepo(session, repo);
    if (row === undefined) throw gone();
    return work(session, row);
  });
}

/**
 * Reads rows of an existing repository in one statement.
 *
 * @param query selects the rows, with the repository as `$1`.
 */
export async function readRows<Row extends object>(
  session: PostgresSession,
  repo: string,
  query: string,
  parameters: readonly PostgresValue[] = [],
): Promise<Row[]> {
  const rows = await session.rows<Row & { readonly isRow: true | null }>(
    `SELECT found.* FROM packhouse.repos AS repo
     LEFT JOIN LATERAL (SELECT true AS "isRow", query.* FROM (${query}) AS query) AS found ON true
     WHERE repo.id = $1 AND NOT repo.erased`,
    [repo, ...parameters],
  );
  if (rows.length === 0) throw gone();
  return rows.filter(({ isRow }) => isRow).map(({ isRow: _, ...row }) => row as unknown as Row);
}

/** Sends read statements together, so that all see one snapshot and cost one round trip. */
export async function readTogether<T extends readonly Promise<unknown>[]>(
  driver: PostgresDriver,
  send: (session: PostgresSession) => readonly [...T],
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const replies = await driver.transaction(async (session) => {
    const sent = send(session);
    // The transaction reports the first failure.
    for (const reply of sent) reply.catch(() => {});
    return sent;
  }, 'read');
  return Promise.all(replies);
}

export function headOf(row: RepoRow): RepoHead {
  return {
    account: row.account,
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    defaultBranch: row.default_branch,
    readOnly: row.read_only,
    status: row.status,
  };
}

export function gone(): RepoGoneError {
  return new RepoGoneError('The repository was deleted');
}
