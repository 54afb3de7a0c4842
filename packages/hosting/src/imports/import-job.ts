import type { RepoRecord } from '../ports/catalog.ts';
import type { TokenRecord } from '../ports/repo-storage.ts';

/** An import that has begun and is to be carried out, as it can be sent on: JSON. */
export interface ImportJob {
  readonly account: string;
  /** As it was reserved; its state has begun, and is empty. */
  readonly repo: RepoRecord;
  readonly firstToken: TokenRecord;
  /** Of the remote; checked. */
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
}

/**
 * Has an import carried out by somebody who lives longer than this request, with `Hosting.carryOutImport`.
 *
 * @returns the repo, ready.
 * @throws {HostingError} as that does. Whatever is thrown, the repo is undone.
 */
export type ImportElsewhere = (job: ImportJob) => Promise<RepoRecord>;
