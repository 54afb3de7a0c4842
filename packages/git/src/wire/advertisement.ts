import { zeroObjectId, type ObjectId } from '../object/object-id.ts';
import type { RefRecord } from '../ports/repo-state.ts';
import type { Head } from '../refs/head.ts';
import {
  formatCapability,
  objectFormat,
  type Capability,
  type GitService,
  type ServerIdentity,
} from './capabilities.ts';
import type { FeatureSet } from './features.ts';
import { flushText, packetText } from './pkt-line.ts';
import { encodeUtf8 } from './utf8.ts';

/** What discovery in version 0 or 1 tells. */
export interface Advertisement {
  readonly version: 0 | 1;
  /** The visible refs, sorted bytewise. */
  readonly refs: readonly RefRecord[];
  readonly identity: ServerIdentity;
  /** Boundary commits of the repository that visible refs reach (GIT-075). */
  readonly shallow: readonly ObjectId[];
}

export interface UploadPackAdvertisement extends Advertisement {
  readonly head: Head;
  readonly features: FeatureSet;
}

/** Discovery of upload-pack in version 0 or 1 (GIT-041, GIT-043, GIT-044, GIT-046). */
export function writeUploadPackAdvertisement(advertisement: UploadPackAdvertisement): Uint8Array {
  const { refs, head } = advertisement;
  const capabilities = uploadPackCapabilities(head, advertisement.features, advertisement.identity);
  const lines =
    head.oid === undefined
      ? refLines(refs, true, capabilities)
      : firstLine(`${head.oid} HEAD`, capabilities) + refLines(refs, true);
  return encodeUtf8(discovery('git-upload-pack', advertisement, lines));
}

/** Discovery of receive-pack in version 0 or 1; version 2 is answered as version 0 (GIT-042, GIT-045, GIT-046). */
export function writeReceivePackAdvertisement(advertisement: Advertisement): Uint8Array {
  const lines = refLines(advertisement.refs, false, receivePackCapabilities(advertisement.identity));
  return encodeUtf8(discovery('git-receive-pack', advertisement, lines));
}

/** Discovery of upload-pack in version 2: no refs, only what can be asked (GIT-047). */
export function writeV2Advertisement(features: FeatureSet, identity: ServerIdentity): Uint8Array {
  let text = serviceLine('git-upload-pack') + packetText('version 2\n');
  for (const capability of v2Capabilities(features, identity)) text += packetText(`${formatCapability(capability)}\n`);
  return encodeUtf8(text + flushText);
}

function uploadPackCapabilities(head: Head, features: FeatureSet, identity: ServerIdentity): readonly Capability[] {
  const capabilities: Capability[] = ['multi_ack', 'thin-pack', 'side-band', 'side-band-64k', 'ofs-delta'];
  if (features.has('shallow')) capabilities.push('shallow', 'deepen-since', 'deepen-not', 'deepen-relative');
  capabilities.push('no-progress', 'include-tag', 'multi_ack_detailed', 'no-done');
  capabilities.push('allow-tip-sha1-in-want', 'allow-reachable-sha1-in-want');
  if (features.has('filter')) capabilities.push('filter');
  if (head.oid !== undefined) capabilities.push(['symref', `HEAD:${head.ref}`]);
  return [...capabilities, ...common(identity)];
}

function receivePackCapabilities(identity: ServerIdentity): readonly Capability[] {
  return [
    'report-status',
    'report-status-v2',
    'delete-refs',
    'quiet',
    'atomic',
    'ofs-delta',
    'push-options',
    'side-band-64k',
    ...common(identity),
  ];
}

/** Features of the `fetch` command in version 2, in the order in which Git names them. */
const fetchFeatures = ['shallow', 'wait-for-done', 'filter', 'ref-in-want', 'sideband-all'] as const;

function v2Capabilities(features: FeatureSet, identity: ServerIdentity): readonly Capability[] {
  const fetch = fetchFeatures.filter((feature) => features.has(feature)).join(' ');
  const capabilities: Capability[] = [
    ['agent', identity.agent],
    ['ls-refs', 'unborn'],
    fetch === '' ? 'fetch' : ['fetch', fetch],
    ['object-format', objectFormat],
  ];
  if (features.has('object-info')) capabilities.push(['object-info', 'size']);
  return [...capabilities, ['session-id', identity.sessionId]];
}

function common(identity: ServerIdentity): readonly Capability[] {
  return [
    ['object-format', objectFormat],
    ['agent', identity.agent],
    ['session-id', identity.sessionId],
  ];
}

function serviceLine(service: GitService): string {
  return packetText(`# service=${service}\n`) + flushText;
}

function discovery(service: GitService, advertisement: Advertisement, lines: string): string {
  const version = advertisement.version === 1 ? packetText('version 1\n') : '';
  const shallow = advertisement.shallow.map((oid) => packetText(`shallow ${oid}\n`)).join('');
  return serviceLine(service) + version + lines + shallow + flushText;
}

/** One line a ref, and one for what it peels to if `peel`; with `capabilities` on the first one. */
function refLines(refs: readonly RefRecord[], peel: boolean, capabilities?: readonly Capability[]): string {
  let text = '';
  for (const [at, ref] of refs.entries()) {
    const line = `${ref.oid} ${ref.name}`;
    text += at === 0 && capabilities !== undefined ? firstLine(line, capabilities) : packetText(`${line}\n`);
    if (peel && ref.peeled !== null) text += packetText(`${ref.peeled} ${ref.name}^{}\n`);
  }
  // GIT-046: without a ref, the capabilities still need a line.
  return text === '' && capabilities !== undefined ? firstLine(`${zeroObjectId} capabilities^{}`, capabilities) : text;
}

function firstLine(line: string, capabilities: readonly Capability[]): string {
  return packetText(`${line}\0${capabilities.map(formatCapability).join(' ')}\n`);
}
