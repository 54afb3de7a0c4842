import type { PostgresSession } from '@packhouse/base';
import { keyLifetime, keysMax, type KeyedResult } from '@packhouse/git';
import { outcomeLifetime } from '../../repo-state/change.ts';

/** Returns the outcome of a push or a replacement; `at` is the time in its change, which a retry repeats. */
export async function findOutcome<Outcome>(
  session: PostgresSession,
  repo: string,
  id: string,
  at: number,
): Promise<Outcome | undefined> {
  const [row] = await session.rows<{ outcome: string }>(
    'SELECT outcome FROM packhouse.outcomes WHERE repo_id = $1 AND at = $2 AND push_id = $3',
    [repo, at, id],
  );
  return row && (JSON.parse(row.outcome) as Outcome);
}

/** Stores an outcome with the commit, and drops those that expired at `at`. */
export function recordOutcome(session: PostgresSession, repo: string, id: string, at: number, outcome: object): void {
  void session.rows(
    `WITH expired AS (DELETE FROM packhouse.outcomes WHERE repo_id = $1 AND at < $5)
     INSERT INTO packhouse.outcomes (repo_id, at, push_id, outcome) VALUES ($1, $2, $3, $4)`,
    [repo, at, id, JSON.stringify(outcome), at - outcomeLifetime],
  );
}

/** Selects the result of the key `$2` that has not expired at `$3`. */
export const keyedResult = 'SELECT result FROM packhouse.keyed_results WHERE repo_id = $1 AND key = $2 AND at > $3';

/** Returns the parameters of {@link keyedResult} after the repository. */
export function keyedParameters(key: string, at: number): [string, number] {
  return [key, at - keyLifetime];
}

export async function findKeyedResult(
  session: PostgresSession,
  repo: string,
  key: string,
  at: number,
): Promise<string | undefined> {
  const [row] = await session.rows<{ result: string }>(keyedResult, [repo, ...keyedParameters(key, at)]);
  return row?.result;
}

/** Records the result of a key with the commit, and drops the two oldest if they have expired or are too many. */
export function recordKeyedResult(
  session: PostgresSession,
  repo: string,
  { key, result }: KeyedResult,
  at: number,
): void {
  void session.rows(
    `INSERT INTO packhouse.keyed_results (repo_id, number, key, at, result)
     SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4 FROM packhouse.keyed_results WHERE repo_id = $1
     ON CONFLICT (repo_id, key) DO UPDATE SET number = excluded.number, at = excluded.at, result = excluded.result`,
    [repo, key, at, result],
  );
  // Two for each new one, so that a full table shrinks without a transaction of many rows.
  void session.rows(
    `DELETE FROM packhouse.keyed_results WHERE repo_id = $1
       AND number IN (SELECT number FROM packhouse.keyed_results WHERE repo_id = $1 ORDER BY number LIMIT 2)
       AND (at <= $2 OR number <= (SELECT max(number) FROM packhouse.keyed_results WHERE repo_id = $1) - $3)`,
    [repo, at - keyLifetime, keysMax],
  );
}
