import type { SqlDriver } from '@packhouse/base';
import type { ObjectId } from '@packhouse/git';

/** Records of the blobs that were uploaded to one repository. */
export class SqlUploadedBlobs {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Returns which of these blobs are recorded. */
  among(oids: readonly ObjectId[]): readonly ObjectId[] {
    if (oids.length === 0) return [];
    return this.#driver
      .all<{ oid: ObjectId }>(
        'SELECT oid FROM uploaded_blobs WHERE repo_id = ? AND oid IN (SELECT value FROM json_each(?))',
        this.#repo,
        JSON.stringify(oids),
      )
      .map(({ oid }) => oid);
  }

  /** Records uploads at `at`. A known blob gets the newer time. */
  add(oids: readonly ObjectId[], at: number): void {
    for (const oid of oids) {
      this.#driver.run(
        `INSERT INTO uploaded_blobs (repo_id, oid, at) VALUES (?, ?, ?)
         ON CONFLICT (repo_id, oid) DO UPDATE SET at = max(at, excluded.at)`,
        this.#repo,
        oid,
        at,
      );
    }
  }

  /** Drops records made before a time. */
  forget(before: number): void {
    this.#driver.run('DELETE FROM uploaded_blobs WHERE repo_id = ? AND at < ?', this.#repo, before);
  }
}
