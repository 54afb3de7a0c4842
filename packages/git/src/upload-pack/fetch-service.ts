import type { GitEngine, GitRepository } from '../repository/engine.ts';
import type { PackLease } from '../repository/leases.ts';
import type { RequestAccount } from '../repository/request-account.ts';
import type { StaleTips } from '../repository/visibility.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';

export interface UploadPackOptions {
  /** Highest version that the client asked for (GIT-040). */
  readonly version: 0 | 1 | 2;
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** For how long what refs have left may still be wanted (LIM-065), and what time it is. Default: not at all. */
  readonly staleTips?: StaleTips;
  /** Bound on the request's body (LIM-057). */
  readonly bodyMax: number;
  /** Bytes that the request may need beside what every one has and the largest object in work (LIM-059). Default: any. */
  readonly memoryMax?: number;
  /** Milliseconds of silence before a keep-alive (LIM-063). */
  readonly keepAlive: number;
  /** Takes the unexpected error that broke off a reply under way, for logs; the client only hears that there was one. */
  readonly failed: (error: unknown) => void;
}

/** How a fetch ended its negotiation, for events (REPO-197). */
export type FetchKind = 'none' | 'clone' | 'fetch';

export interface UploadPackReply {
  readonly body: ReadableStream<Uint8Array> | Uint8Array;
  readonly fetch: FetchKind;
}

/** What one request of upload-pack is answered from. */
export interface FetchService {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  readonly options: UploadPackOptions;
  /** Let go when the reply ends. */
  readonly memory: RequestAccount;
  /** The packs of the snapshot, let go when the reply ends. */
  readonly lease: PackLease;
}

/** A reply without anything in it. */
export const emptyReply: UploadPackReply = { body: new Uint8Array(0), fetch: 'none' };
