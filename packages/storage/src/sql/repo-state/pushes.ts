import type { SqlDriver, SqlValue } from '@packhouse/base';
import { outcomeLifetime, rowFileMax } from '../../repo-state/change.ts';

/** Outcomes of the latest pushes and pack replacements of one repository, by id. */
export class SqlPushes<Outcome> {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Returns the outcome of a push; `at` is the time in its change, which a retry repeats. */
  find(pushId: string, at: number): Outcome | undefined {
    return this.#read('at = ? AND push_id = ?', at, pushId);
  }

  /** Like {@link find}, but searches all remembered outcomes. */
  search(pushId: string): Outcome | undefined {
    return this.#read('push_id = ?', pushId);
  }

  #read(condition: string, ...parameters: readonly SqlValue[]): Outcome | undefined {
    const pieces = this.#driver
      .all<{ outcome: Uint8Array }>(
        `SELECT outcome FROM outcomes WHERE repo_id = ? AND ${condition} ORDER BY piece`,
        this.#repo,
        ...parameters,
      )
      .map((row) => row.outcome);
    if (pieces.length === 0) return undefined;
    const decoder = new TextDecoder();
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
    return JSON.parse(text) as Outcome;
  }

  /** Stores an outcome, and drops those that expired at `at`. */
  record(pushId: string, at: number, outcome: Outcome): void {
    this.#driver.run('DELETE FROM outcomes WHERE repo_id = ? AND at < ?', this.#repo, at - outcomeLifetime);
    const bytes = new TextEncoder().encode(JSON.stringify(outcome));
    for (let piece = 0; piece * rowFileMax < bytes.length; piece++) {
      this.#driver.run(
        'INSERT INTO outcomes (repo_id, at, push_id, piece, outcome) VALUES (?, ?, ?, ?, ?)',
        this.#repo,
        at,
        pushId,
        piece,
        bytes.subarray(piece * rowFileMax, (piece + 1) * rowFileMax),
      );
    }
  }
}
