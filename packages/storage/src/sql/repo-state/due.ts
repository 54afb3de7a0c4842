import type { DueRepo } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';

/** Returns up to `limit` repositories due at `now` (milliseconds since 1970), longest due first. */
export function dueRepos(driver: SqlDriver, now: number, limit: number): DueRepo[] {
  return driver.all<DueRepo>(
    'SELECT account, id, namespace, name FROM repos WHERE maintain_at <= ? ORDER BY maintain_at LIMIT ?',
    now,
    limit,
  );
}
