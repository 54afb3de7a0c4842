import { retryExpired } from '../stored-refs/retry-expired.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { PackLease } from '../engine/leases.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import type { StaleTips } from '../repository/visibility.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { RequestWork, WorkOptions } from '../work/scheduler.ts';

export interface UploadPackOptions extends WorkOptions {
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
  /** Bytes that the repository may store (LIM-050), for packs that are prepared. Default: any number. */
  readonly storageMax?: number;
  /** Milliseconds of silence before a keep-alive (LIM-063). */
  readonly keepAlive: number;
  /** Takes the unexpected error that broke off a reply under way, for logs; the client only hears that there was one. */
  readonly failed: (error: unknown) => void;
  /**
   * Called when a reply with a pack was fully consumed: once per fetch, for any number of requests. Not called for a
   * reply that failed or broke off. Must not throw. Default: no-op.
   */
  readonly fetched?: ((kind: FetchKind) => void) | undefined;
}

/** A fetch is a clone if no object that it offered is common (REPO-197). */
export type FetchKind = 'clone' | 'fetch';

export interface UploadPackReply {
  readonly body: ReadableStream<Uint8Array> | Uint8Array;
}

/** State for answering one request of upload-pack. */
export interface FetchService {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  readonly snapshot: RepoSnapshot;
  readonly options: UploadPackOptions;
  readonly work: RequestWork;
  /** Let go when the reply ends. */
  readonly memory: RequestAccount;
  /** The packs of the snapshot, let go when the reply ends. */
  readonly lease: PackLease;
}

/** Serves a request from the snapshot that it began with, or from a new one if the refs of that cannot be read any more. */
export function serveRefs<T>(service: FetchService, serve: (service: FetchService) => Promise<T>): Promise<T> {
  return retryExpired(service.repository, service.snapshot, (snapshot) => {
    service.lease.moveTo(snapshot.packs);
    return serve({ ...service, snapshot });
  });
}

/** A reply without anything in it. */
export const emptyReply: UploadPackReply = { body: new Uint8Array(0) };
