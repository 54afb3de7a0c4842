import type { ReceiveRequest } from './receive-request.ts';
import { concatenate } from '../../bytes/concatenate.ts';
import { encodePacket, flushPacket, flushText, packetMax } from '../pkt-line.ts';
import { encodeBand } from '../side-band.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';

/** Result of a push (GIT-112). */
export interface PushReport {
  /** `ok`, or why the pack was refused. */
  readonly unpack: string;
  /** The results in the order of the commands. */
  readonly results: readonly CommandResult[];
}

export interface CommandResult {
  /** The name exactly as in the command. */
  readonly ref: Uint8Array;
  /** The reason why the ref did not change; absent if it changed. */
  readonly reason?: string | undefined;
}

/**
 * The whole end of a reply to a push: the report in the form that was asked for, and the flush behind it (GIT-112,
 * GIT-113). Empty if no report was asked for and there is no side-band to close. As the value applied is always the one of
 * the command, `report-status-v2` has no option lines and equals `report-status` (GIT-115).
 */
export function writeReport(request: Pick<ReceiveRequest, 'report' | 'sideBand'>, report: PushReport): Uint8Array {
  const lines = request.report === 'none' ? new Uint8Array(0) : reportLines(report);
  if (request.sideBand === 'none') return lines;
  return concatenate([encodeBand(1, lines, request.sideBand), flushPacket()]);
}

function reportLines(report: PushReport): Uint8Array {
  const packets = [packetOf('unpack ', undefined, report.unpack)];
  for (const { ref, reason } of report.results) {
    packets.push(reason === undefined ? packetOf('ok ', ref, '') : packetOf('ng ', ref, ` ${reason}`));
  }
  packets.push(encodeUtf8(flushText));
  return concatenate(packets);
}

/** Most bytes of a reason: with the longest ref that a command can carry, its line still is a packet. */
const reasonMax = 1200;

/** Names are repeated byte by byte: what is refused as `funny refname` need not be UTF-8. */
function packetOf(word: string, ref: Uint8Array | undefined, text: string): Uint8Array {
  const tail = encodeUtf8(text.replaceAll('\n', ' ')).subarray(0, reasonMax);
  const room = packetMax - 4 - word.length - tail.length - 1;
  return encodePacket(
    concatenate([encodeUtf8(word), ref?.subarray(0, room) ?? new Uint8Array(0), tail, Uint8Array.of(10)]),
  );
}
