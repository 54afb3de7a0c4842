import { objectFormat, type Capabilities } from '../wire/capabilities.ts';
import { delimText, flushText, packetText, withoutLf } from '../wire/pkt-line.ts';
import { decodeLossy, encodeUtf8 } from '../bytes/utf8.ts';
import { requireObjectId } from './read-discovery.ts';
import { malformed, type RemotePackets } from './remote-packets.ts';
import { RefGatherer, type RemoteRefs, type TryKeep } from './remote-refs.ts';

/** The request `ls-refs` for HEAD, branches and tags (version 2). */
export function writeRefListRequest(capabilities: Capabilities, agent: string): Uint8Array {
  const canUnborn = capabilities.get('ls-refs')?.split(' ').includes('unborn') === true;
  const words = ['symrefs', ...(canUnborn ? ['unborn'] : [])];
  const prefixes = ['HEAD', 'refs/heads/', 'refs/tags/'].map((prefix) => `ref-prefix ${prefix}`);
  const lines = [...words, ...prefixes].map((line) => packetText(`${line}\n`)).join('');
  return encodeUtf8(commandText('ls-refs', capabilities, agent) + delimText + lines + flushText);
}

/** The start of a request of version 2, up to its arguments. */
export function commandText(command: string, capabilities: Capabilities, agent: string): string {
  const format = capabilities.has('object-format') ? packetText(`object-format=${objectFormat}\n`) : '';
  const name = capabilities.has('agent') ? packetText(`agent=${agent}\n`) : '';
  return packetText(`command=${command}\n`) + name + format;
}

/**
 * Reads the reply to `ls-refs`.
 *
 * @throws {RemoteError} `broken off`, `malformed`, `refused`, `object format` or `too large`.
 */
export async function readRefList(packets: RemotePackets, tryKeep: TryKeep): Promise<RemoteRefs> {
  const gatherer = new RefGatherer(tryKeep);
  for (;;) {
    const packet = await packets.line();
    if (packet.kind === 'flush') return gatherer.done();
    if (packet.kind === 'delim') throw malformed('a delimiter among refs');
    const line = withoutLf(packet.bytes);
    const space = line.indexOf(32);
    const word = decodeLossy(line.subarray(0, Math.max(space, 0)));
    const rest = line.subarray(space + 1);
    const nameEnd = rest.indexOf(32);
    const name = nameEnd < 0 ? rest : rest.subarray(0, nameEnd);
    if (decodeLossy(name) === 'HEAD') {
      if (word !== 'unborn') requireObjectId(word);
      const attributes = nameEnd < 0 ? [] : decodeLossy(rest.subarray(nameEnd + 1)).split(' ');
      const target = attributes.find((attribute) => attribute.startsWith('symref-target:'));
      if (target !== undefined) gatherer.setHead(target.slice('symref-target:'.length));
    } else {
      gatherer.add(name, requireObjectId(word));
    }
  }
}
