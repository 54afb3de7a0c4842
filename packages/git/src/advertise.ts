import type { RepoSnapshot } from './ports/repo-state.ts';
import { resolveHead } from './refs/head.ts';
import { visibleRefs } from './refs/visible-refs.ts';
import type { GitEngine, GitRepository } from './repository/engine.ts';
import { visibleBoundary } from './repository/visible-boundary.ts';
import {
  writeReceivePackAdvertisement,
  writeUploadPackAdvertisement,
  writeV2Advertisement,
} from './wire/advertisement.ts';
import type { GitService, ProtocolVersion, ServerIdentity } from './wire/capabilities.ts';
import { servedFeatures } from './wire/features.ts';

export interface AdvertiseOptions {
  readonly service: GitService;
  /** Highest version that the client asked for (GIT-040). */
  readonly version: ProtocolVersion;
  readonly identity: ServerIdentity;
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
}

/**
 * The body of a discovery reply (section 3).
 *
 * @throws {NotEnoughMemoryError} if the boundary of a shallow repository cannot be told for want of room.
 */
export async function advertise(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  options: AdvertiseOptions,
): Promise<Uint8Array> {
  const { service, version, identity } = options;
  if (service === 'git-upload-pack' && version === 2) return writeV2Advertisement(servedFeatures, identity);
  const refs = visibleRefs(snapshot.refs, options.hiddenRefs);
  // GIT-042: receive-pack has no version 2.
  const shallow = await visibleBoundary(engine, repository, snapshot, options.hiddenRefs);
  const common = { version: version === 1 ? 1 : 0, refs, identity, shallow } as const;
  if (service === 'git-receive-pack') return writeReceivePackAdvertisement(common);
  return writeUploadPackAdvertisement({
    ...common,
    head: resolveHead(refs, snapshot.defaultBranch),
    features: servedFeatures,
  });
}
