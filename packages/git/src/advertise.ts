import type { RepoSnapshot } from './ports/repo-state.ts';
import { resolveHead } from './refs/head.ts';
import { visibleRefs } from './refs/visible-refs.ts';
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

/** The body of a discovery reply (section 3). */
export function advertise(snapshot: RepoSnapshot, options: AdvertiseOptions): Uint8Array {
  const { service, version, identity } = options;
  if (service === 'git-upload-pack' && version === 2) return writeV2Advertisement(servedFeatures, identity);
  const refs = visibleRefs(snapshot.refs, options.hiddenRefs);
  // GIT-042: receive-pack has no version 2.
  const common = { version: version === 1 ? 1 : 0, refs, identity, shallow: snapshot.shallow } as const;
  if (service === 'git-receive-pack') return writeReceivePackAdvertisement(common);
  return writeUploadPackAdvertisement({
    ...common,
    head: resolveHead(refs, snapshot.defaultBranch),
    features: servedFeatures,
  });
}
