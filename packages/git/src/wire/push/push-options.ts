import type { PacketReader } from '../packet-reader.ts';
import { withoutLf } from '../pkt-line.ts';
import { MalformedRequestError } from '../request-error.ts';

/** Limits of push options (LIM-058). */
export interface PushOptionLimits {
  /** Maximum number of options. */
  readonly pushOptionsMax: number;
  /** Maximum size of one option in bytes. */
  readonly pushOptionBytesMax: number;
}

/**
 * The push options up to their flush, as sent without the LF (GIT-117); `undefined` if they break LIM-058.
 *
 * @throws {MalformedRequestError} GIT-016.
 */
export async function readPushOptions(
  reader: PacketReader,
  limits: PushOptionLimits,
): Promise<readonly Uint8Array[] | undefined> {
  const options: Uint8Array[] = [];
  let within = true;
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush after the push options');
    if (packet.kind === 'flush') return within ? options : undefined;
    if (packet.kind === 'delim') throw new MalformedRequestError('a delimiter outside version 2');
    const option = withoutLf(packet.bytes);
    if (options.length >= limits.pushOptionsMax || option.length > limits.pushOptionBytesMax) within = false;
    else options.push(new Uint8Array(option));
  }
}
