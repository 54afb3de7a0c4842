import type { RepoSnapshot } from '../ports/repo-state.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import { VisibleRefs } from '../stored-refs/visible-refs.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { listReply } from '../reply/list-reply.ts';
import { visibleBoundary } from './visible-boundary.ts';
import {
  writeReceivePackAdvertisement,
  writeUploadPackAdvertisement,
  writeV2Advertisement,
} from '../wire/advertisement.ts';
import type { GitService, ProtocolVersion, ServerIdentity } from '../wire/capabilities.ts';
import { servedFeatures } from '../wire/features.ts';
import type { WorkOptions } from '../work/scheduler.ts';

export interface AdvertiseOptions extends WorkOptions {
  readonly service: GitService;
  /** Highest version that the client asked for (GIT-040). */
  readonly version: ProtocolVersion;
  readonly identity: ServerIdentity;
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** Receives the unexpected error that stopped a reply after its start, for logs. */
  readonly failed: (error: unknown) => void;
}

/**
 * Makes the body of a discovery reply (section 3).
 *
 * @throws {NotEnoughMemoryError} if there is not enough memory for the boundary of a shallow repository.
 */
export async function advertise(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  options: AdvertiseOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const { service, version, identity } = options;
  if (service === 'git-upload-pack' && version === 2) return writeV2Advertisement(servedFeatures, identity);
  return retryExpired(repository, snapshot, (current) => listRefs(engine, repository, current, options));
}

async function listRefs(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  options: AdvertiseOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const { service, version, identity, hiddenRefs, failed } = options;
  const work = engine.scheduler.begin(options);
  const refs = new RepoRefs(engine, repository, snapshot, work);
  const visible = new VisibleRefs(refs, snapshot, hiddenRefs);
  const shallow = await visibleBoundary(engine, repository, snapshot, hiddenRefs, work);
  // GIT-042: receive-pack has no version 2.
  const common = { version: version === 1 ? 1 : 0, refs: visible.below(''), identity, shallow } as const;
  const lines =
    service === 'git-receive-pack'
      ? writeReceivePackAdvertisement(common)
      : writeUploadPackAdvertisement({ ...common, head: await visible.head(), features: servedFeatures });
  return listReply(lines, { failed });
}
