import type { ObjectId } from '../object/object-id.ts';
import { objectFormat, type Capabilities } from '../wire/capabilities.ts';
import { delimText, flushText, packetText } from '../wire/pkt-line.ts';
import { ReplyText } from '../wire/reply-text.ts';
import type { SideBand } from '../wire/side-band.ts';
import { commandText } from './ref-list.ts';
import { RemoteError } from './remote-error.ts';

/** A fetch of a client without any objects. */
export interface PackRequest {
  /** At least one. */
  readonly wants: Iterable<ObjectId>;
  readonly depth: number | undefined;
  /** Requests tags that point to sent objects, too. */
  readonly includeTag: boolean;
}

/** Depth that means all of history (GIT-072). */
const wholeHistory = 2_147_483_647;

/**
 * The request `fetch` of version 2.
 *
 * @throws {RemoteError} `malformed` if a depth is asked of a remote that cannot.
 */
export function writeFetchCommand(request: PackRequest, capabilities: Capabilities, agent: string): Uint8Array {
  const features = capabilities.get('fetch')?.split(' ') ?? [];
  const text = new ReplyText();
  text.add(
    commandText('fetch', capabilities, agent) + delimText + packetText('ofs-delta\n') + packetText('no-progress\n'),
  );
  if (request.includeTag) text.add(packetText('include-tag\n'));
  if (request.depth !== undefined) text.add(deepenLine(request.depth, features.includes('shallow')));
  for (const oid of request.wants) text.add(packetText(`want ${oid}\n`));
  text.add(packetText('done\n') + flushText);
  return text.toBytes();
}

/** How the reply to {@link writeUploadRequest} will be multiplexed. */
export function sideBandOf(capabilities: Capabilities): SideBand {
  if (capabilities.has('side-band-64k')) return 'side-band-64k';
  return capabilities.has('side-band') ? 'side-band' : 'none';
}

/**
 * The request of versions 0 and 1.
 *
 * @throws {RemoteError} as {@link writeFetchCommand} does.
 */
export function writeUploadRequest(request: PackRequest, capabilities: Capabilities, agent: string): Uint8Array {
  const sideBand = sideBandOf(capabilities);
  const words = ['ofs-delta', 'no-progress', ...(request.includeTag ? ['include-tag'] : [])].filter((word) =>
    capabilities.has(word),
  );
  if (sideBand !== 'none') words.push(sideBand);
  if (capabilities.has('object-format')) words.push(`object-format=${objectFormat}`);
  if (capabilities.has('agent')) words.push(`agent=${agent}`);
  const text = new ReplyText();
  let tail = words.map((word) => ` ${word}`).join('');
  for (const oid of request.wants) {
    text.add(packetText(`want ${oid}${tail}\n`));
    tail = '';
  }
  if (request.depth !== undefined) text.add(deepenLine(request.depth, capabilities.has('shallow')));
  text.add(flushText + packetText('done\n'));
  return text.toBytes();
}

function deepenLine(depth: number, isServed: boolean): string {
  if (!isServed) throw new RemoteError('malformed', 'the remote cannot cut history off');
  return packetText(`deepen ${Math.min(depth, wholeHistory)}\n`);
}
