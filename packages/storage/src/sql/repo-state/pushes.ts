import type { SqlDriver } from '@packhouse/base';
import { outcomeLifetime, rowFileMax } from '../../repo-state/change.ts';

/** Outcomes of the latest pushes and pack replacements of one repository, by id. */
export class SqlPushes<Outcome> {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  find(pushId: string): Outcome | undefined {
    const pieces = this.#driver
      .all<{ outcome: Uint8Array }>(
        'SELECT outcome FROM pushes WHERE repo_id = ? AND push_id = ? ORDER BY piece',
        this.#repo,
        pushId,
      )
      .map((row) => row.outcome);
    if (pieces.length === 0) return undefined;
    const decoder = new TextDecoder();
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
    return JSON.parse(text) as Outcome;
  }

  /** Stores an outcome, and drops those that expired at `at`. */
  record(pushId: string, at: number, outcome: Outcome): void {
    this.#driver.run('DELETE FROM pushes WHERE repo_id = ? AND at < ?', this.#repo, at - outcomeLifetime);
    const bytes = new TextEncoder().encode(JSON.stringify(outcome));
    for (let piece = 0; piece * rowFileMax < bytes.length; piece++) {
      this.#driver.run(
        'INSERT INTO pushes (repo_id, push_id, piece, at, outcome) VALUES (?, ?, ?, ?, ?)',
        this.#repo,
        pushId,
        piece,
        at,
        bytes.subarray(piece * rowFileMax, (piece + 1) * rowFileMax),
      );
    }
  }
}
