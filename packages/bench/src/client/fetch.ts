import { delimPkt, flushPkt, PacketCutter, pkt, type Packet } from './pkt-line.ts';
import { post, type Remote } from './remote.ts';

/** The object ids of a `fetch`, and what limits it. */
export interface FetchRequest {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  /** A filter such as `blob:none`. Default: no filter. */
  readonly filter?: string;
  /** True for the wanted commits without their history. Default: false. */
  readonly isShallow?: boolean;
}

/** Makes the body of a `fetch` of protocol version 2, with `done`. */
export const fetchBody = ({ wants, haves, filter, isShallow }: FetchRequest): string =>
  [
    pkt('command=fetch\n'),
    pkt('agent=packhouse-bench\n'),
    pkt('object-format=sha1\n'),
    delimPkt,
    pkt('thin-pack\n'),
    pkt('no-progress\n'),
    pkt('ofs-delta\n'),
    ...(isShallow === true ? [pkt('deepen 1\n')] : []),
    ...(filter === undefined ? [] : [pkt(`filter ${filter}\n`)]),
    ...wants.map((id) => pkt(`want ${id}\n`)),
    ...haves.map((id) => pkt(`have ${id}\n`)),
    pkt('done\n'),
    flushPkt,
  ].join('');

/**
 * Sends one protocol v2 `fetch` with `done` and drains the pack. The client counts the bytes and passes them to `keep`,
 * without indexing: its own work would hide the server's. Resolves to the length of the pack.
 */
export const fetchPack = async (
  remote: Remote,
  wanted: FetchRequest,
  keep?: (bytes: Buffer) => void,
): Promise<number> => {
  let length = 0;
  let inPack = false;
  let ended = false;
  const cutter = new PacketCutter((packet: Packet) => {
    if (!Buffer.isBuffer(packet)) {
      if (packet === 'flush') ended = inPack;
      return;
    }
    if (!inPack) {
      if (packet.toString('latin1') === 'packfile\n') inPack = true;
      else if (packet.toString('latin1', 0, 4) === 'ERR ') throw new Error(packet.toString());
      return;
    }
    if (packet[0] === 3) throw new Error(`The server failed: ${packet.subarray(1).toString()}`);
    if (packet[0] !== 1) return;
    length += packet.length - 1;
    keep?.(packet.subarray(1));
  });
  await post(remote, 'git-upload-pack', { start: fetchBody(wanted) }, (chunk) => cutter.feed(chunk));
  cutter.end();
  if (!ended) throw new Error('The reply holds no complete pack');
  return length;
};

/** Sends one protocol v2 `ls-refs` for all refs, peeled. Resolves to their number. */
export const listRefs = async (remote: Remote): Promise<number> => {
  let refs = 0;
  const cutter = new PacketCutter((packet: Packet) => {
    if (Buffer.isBuffer(packet)) refs++;
  });
  const command = [pkt('command=ls-refs\n'), pkt('agent=packhouse-bench\n'), pkt('object-format=sha1\n')];
  const start = [...command, delimPkt, pkt('peel\n'), pkt('symrefs\n'), flushPkt].join('');
  await post(remote, 'git-upload-pack', { start }, (chunk) => cutter.feed(chunk));
  cutter.end();
  return refs;
};
