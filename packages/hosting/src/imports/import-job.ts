import type { RepoRecord } from '../ports/catalog.ts';
import type { TokenRecord } from '../ports/repo-storage.ts';

/** An import that was accepted and waits to be carried out. JSON, so that another process can get it. */
export interface ImportJob {
  readonly account: string;
  /** The reserved record. The state of the repo exists, and is empty. */
  readonly repo: RepoRecord;
  readonly firstToken: TokenRecord;
  /** The checked URL of the remote. */
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
}

/**
 * Passes an import to a process that outlives this request, and that calls `Hosting.carryOutImport`. After any error,
 * the caller deletes the unfinished repo.
 *
 * @returns the repo when it is ready.
 * @throws {HostingError} the errors of `carryOutImport`.
 */
export type ImportElsewhere = (job: ImportJob) => Promise<RepoRecord>;
