import { framingFirst, lineObjectId } from '../arguments.ts';
import { addCapability, printable, refuseOtherObjectFormat, type Capabilities } from '../capabilities.ts';
import type { FeatureSet } from '../features.ts';
import { IdList } from '../id-list.ts';
import { BoundLines, haveLine, type PackRequest } from './pack-request.ts';
import type { PacketReader } from '../packet-reader.ts';
import { lineText } from '../pkt-line.ts';
import { MalformedRequestError, RequestRefusedError } from '../request-error.ts';
import type { SideBand } from '../side-band.ts';

/** A request of upload-pack in version 0 or 1 (gitprotocol-pack(5)). */
export interface UploadRequest extends PackRequest {
  /** How common objects are acknowledged; the more detailed of what was asked for (GIT-062). */
  readonly acknowledgments: 'none' | 'multi_ack' | 'multi_ack_detailed';
  /** Sends the pack after `ready` without waiting for `done`. Only counts with `multi_ack_detailed`. */
  readonly noDone: boolean;
  readonly sideBand: SideBand;
  /** End of the body, which decides the form of the reply (GIT-063). */
  readonly ending: UploadEnding;
}

/** The capabilities that have an effect here; a body may contain millions of others. */
const knownCapabilities: ReadonlySet<string> = new Set([
  'multi_ack',
  'multi_ack_detailed',
  'no-done',
  'side-band',
  'side-band-64k',
  'thin-pack',
  'ofs-delta',
  'include-tag',
  'no-progress',
  'deepen-relative',
  'object-format',
]);

export type UploadEnding =
  /** The flush after the wants, then nothing: the client only asks for the shallow lines. */
  | 'wants'
  /** A flush after the haves: one more round of the negotiation. */
  | 'flush'
  | 'done';

/**
 * Reads a request of version 0 or 1. Without wants (a lone flush is the probe of GIT-013) there is nothing to reply:
 * then `wants` is empty. As each request is complete in itself (GIT-015), the first flush after the haves ends it, and
 * what follows is not read; stock upload-pack does the same.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestRefusedError} for what cannot be served.
 * @throws {RequestTooLargeError} above the reader's limit.
 */
export function parseUploadRequest(reader: PacketReader, features: FeatureSet): Promise<UploadRequest> {
  return framingFirst(reader, { delimiters: false, knowsSidebandAll: () => false }, async () => {
    const bounds = new BoundLines(features, reader);
    const { wants, capabilities } = await readWants(reader, bounds);
    refuseOtherObjectFormat(capabilities);
    bounds.relative = capabilities.has('deepen-relative');
    const { haves, ending } =
      wants.length === 0 ? { haves: new IdList(), ending: 'wants' as const } : await readHaves(reader);
    return {
      wants,
      haves,
      ending,
      acknowledgments: acknowledgmentsOf(capabilities),
      noDone: capabilities.has('no-done'),
      sideBand: sideBandOf(capabilities),
      thinPack: capabilities.has('thin-pack'),
      ofsDelta: capabilities.has('ofs-delta'),
      includeTag: capabilities.has('include-tag'),
      noProgress: capabilities.has('no-progress'),
      shallow: bounds.shallow,
      depth: bounds.depth(),
      filter: bounds.filter,
    };
  });
}

async function readWants(
  reader: PacketReader,
  bounds: BoundLines,
): Promise<{ wants: IdList; capabilities: Capabilities }> {
  const wants = new IdList(reader.keep);
  const capabilities = new Map<string, string>();
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush after the wants');
    if (packet.kind === 'flush') return { wants, capabilities };
    if (packet.kind === 'delim') throw new MalformedRequestError('a delimiter outside version 2');
    const line = lineText(packet.bytes);
    if (bounds.take(line)) continue;
    if (!line.startsWith('want ')) throw notAWant(line);
    // Capabilities belong on the first want; like stock upload-pack this takes them from any.
    const end = line.indexOf(' ', 5);
    wants.add(lineObjectId(end < 0 ? line : line.slice(0, end), 5, notAWant));
    if (end < 0) continue;
    for (const word of line.slice(end).split(' ')) {
      if (knownCapabilities.has(word.split('=', 1)[0] as string)) addCapability(capabilities, word);
    }
  }
}

async function readHaves(reader: PacketReader): Promise<{ haves: IdList; ending: UploadEnding }> {
  const haves = new IdList(reader.keep);
  for (let first = true; ; first = false) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) {
      if (first) return { haves, ending: 'wants' };
      throw new MalformedRequestError('the body ends before a flush or done');
    }
    if (packet.kind === 'flush') return { haves, ending: 'flush' };
    if (packet.kind === 'delim') throw new MalformedRequestError('a delimiter outside version 2');
    const line = lineText(packet.bytes);
    if (line === 'done') return { haves, ending: 'done' };
    const oid = haveLine(line);
    if (oid === undefined) throw new RequestRefusedError(`upload-pack: expected SHA1 list, got '${printable(line)}'`);
    haves.add(oid);
  }
}

function notAWant(line: string): RequestRefusedError {
  return new RequestRefusedError(`upload-pack: protocol error, expected to get object ID, not '${printable(line)}'`);
}

function acknowledgmentsOf(capabilities: Capabilities): UploadRequest['acknowledgments'] {
  if (capabilities.has('multi_ack_detailed')) return 'multi_ack_detailed';
  return capabilities.has('multi_ack') ? 'multi_ack' : 'none';
}

function sideBandOf(capabilities: Capabilities): SideBand {
  const large = capabilities.has('side-band-64k');
  if (!capabilities.has('side-band')) return large ? 'side-band-64k' : 'none';
  // A client must choose one of them (GIT-069).
  if (large) throw new RequestRefusedError('side-band and side-band-64k are exclusive');
  return 'side-band';
}
