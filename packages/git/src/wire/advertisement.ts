import { zeroObjectId, type ObjectId } from '../object/object-id.ts';
import type { Head } from '../refs/head.ts';
import { nameAt, oidAt, type RefSlice } from '../refs/packed-refs.ts';
import {
  formatCapability,
  objectFormat,
  type Capability,
  type GitService,
  type ServerIdentity,
} from './capabilities.ts';
import type { FeatureSet } from './features.ts';
import { flushText, packetText } from './pkt-line.ts';
import { writeRefLines, type PeeledForm } from './ref-lines.ts';
import { encodeUtf8 } from '../bytes/utf8.ts';

/** Contents of discovery in version 0 or 1. */
export interface Advertisement {
  readonly version: 0 | 1;
  /** The visible refs, sorted bytewise. */
  readonly refs: AsyncIterable<RefSlice>;
  readonly identity: ServerIdentity;
  /** Boundary commits of the repository that visible refs reach (GIT-075). */
  readonly shallow: readonly ObjectId[];
}

export interface UploadPackAdvertisement extends Advertisement {
  readonly head: Head;
  readonly features: FeatureSet;
}

/** A reply in ordered parts. */
type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

/** Discovery of upload-pack in version 0 or 1 (GIT-041, GIT-043, GIT-044, GIT-046). */
export function writeUploadPackAdvertisement(advertisement: UploadPackAdvertisement): Pieces {
  const { head, features, identity } = advertisement;
  const capabilities = uploadPackCapabilities(head, features, identity);
  const first = head.oid === undefined ? undefined : `${head.oid} HEAD`;
  return discovery('git-upload-pack', advertisement, 'line', capabilities, first);
}

/** Discovery of receive-pack in version 0 or 1; version 2 is answered as version 0 (GIT-042, GIT-045, GIT-046). */
export function writeReceivePackAdvertisement(advertisement: Advertisement): Pieces {
  return discovery('git-receive-pack', advertisement, 'none', receivePackCapabilities(advertisement.identity));
}

/** Discovery of upload-pack in version 2: no refs, only the commands and features that a client can use (GIT-047). */
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

/** `first`: a line before the lines of the refs. The very first line has the capabilities. */
async function* discovery(
  service: GitService,
  { version, refs, shallow }: Advertisement,
  form: PeeledForm,
  capabilities: readonly Capability[],
  first?: string,
): Pieces {
  yield encodeUtf8(serviceLine(service) + (version === 1 ? packetText('version 1\n') : ''));
  let hasFirst = first !== undefined;
  if (first !== undefined) yield encodeUtf8(firstLine(first, capabilities));
  for await (const { refs: packed, from, to } of refs) {
    if (hasFirst || from === to) {
      yield writeRefLines({ refs: packed, from, to }, form);
      continue;
    }
    hasFirst = true;
    const plain = writeRefLines({ refs: packed, from, to: from + 1 }, 'none').length;
    yield encodeUtf8(firstLine(`${oidAt(packed, from)} ${nameAt(packed, from)}`, capabilities));
    yield writeRefLines({ refs: packed, from, to }, form).subarray(plain);
  }
  // GIT-046: without a ref, the capabilities still need a line.
  if (!hasFirst) yield encodeUtf8(firstLine(`${zeroObjectId} capabilities^{}`, capabilities));
  yield encodeUtf8(shallow.map((oid) => packetText(`shallow ${oid}\n`)).join('') + flushText);
}

function firstLine(line: string, capabilities: readonly Capability[]): string {
  return packetText(`${line}\0${capabilities.map(formatCapability).join(' ')}\n`);
}
