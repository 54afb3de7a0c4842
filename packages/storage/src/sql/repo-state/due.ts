import type { DueRepo } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';

/** Those that are due at `now` (milliseconds since 1970), the longest due first; at most `limit`. */
export function dueRepos(driver: SqlDriver, now: number, limit: number): DueRepo[] {
  return driver.all<DueRepo>(
    'SELECT account, id, namespace, name FROM repos WHERE maintain_at <= ? ORDER BY maintain_at LIMIT ?',
    now,
    limit,
  );
}
