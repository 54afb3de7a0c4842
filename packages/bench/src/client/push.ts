import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { flushPkt, PacketCutter, pkt, type Packet } from './pkt-line.ts';
import { post, type Remote } from './remote.ts';

/** One command of a push. To create a ref, the old id is forty zeros. */
export interface RefChange {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

export const noObject: string = '0'.repeat(40);

/** Makes the commands of a push, which stand before its pack. */
export const pushCommands = (changes: readonly RefChange[]): string =>
  changes
    .map(({ ref, from, to }, index) =>
      pkt(`${from} ${to} ${ref}${index === 0 ? '\0report-status ofs-delta agent=packhouse-bench' : ''}`),
    )
    .join('') + flushPkt;

/** Pushes a prepared pack, so that the time includes only the server's work. Throws unless all refs moved. */
export const pushPack = async (remote: Remote, changes: readonly RefChange[], packFile: string): Promise<void> => {
  const lines: string[] = [];
  const cutter = new PacketCutter((packet: Packet) => {
    if (Buffer.isBuffer(packet)) lines.push(packet.toString().trimEnd());
  });
  const rest = { stream: createReadStream(packFile), length: (await stat(packFile)).size };
  const body = { start: pushCommands(changes), rest };
  await post(remote, 'git-receive-pack', body, (chunk) => cutter.feed(chunk));
  cutter.end();
  const refused = lines.filter((line) => line !== 'unpack ok' && !line.startsWith('ok '));
  if (refused.length > 0 || lines.length !== changes.length + 1) {
    throw new Error(`The push was refused: ${refused.slice(0, 3).join('; ') || `${lines.length} lines of report`}`);
  }
};
