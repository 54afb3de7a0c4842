import type { ObjectId } from '../../object/object-id.ts';
import type { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { objectFormat, parseCapabilities, unsupportedObjectFormat, type Capabilities } from '../capabilities.ts';
import type { PacketReader } from '../packet-reader.ts';
import { withoutLf } from '../pkt-line.ts';
import { parseRefCommand, parseShallowLine, type RefCommand } from './ref-command.ts';
import { MalformedRequestError } from '../request-error.ts';
import { decodeLossy } from '../../bytes/utf8.ts';

export type { RefCommand };

/** A push request. The pack is the rest of the reader, {@link PacketReader.rest} (GIT-110). */
export interface ReceiveRequest {
  /** In the order sent. Without any the reply is empty. */
  readonly commands: readonly RefCommand[];
  /** The most detailed requested form (GIT-112, GIT-115). */
  readonly report: 'none' | 'report-status' | 'report-status-v2';
  readonly sideBand: 'none' | 'side-band-64k';
  readonly atomic: boolean;
  readonly quiet: boolean;
  /** Commits whose parents the client does not have (GIT-119). */
  readonly shallow: readonly ObjectId[];
  /** Verbatim, without the LF; empty if they were not negotiated (GIT-117). */
  readonly pushOptions: readonly Uint8Array[];
  /** Reason why the whole push is refused, as far as the request alone shows (GIT-018). */
  readonly refusal: ReceiveRefusal | undefined;
}

export interface ReceiveRefusal {
  /** Text of the `unpack` line. */
  readonly reason: string;
  /** Text of every `ng` line (GIT-114, GIT-165). */
  readonly commandReason: string;
}

export interface ReceiveLimits extends PushOptionLimits {
  /** Maximum number of commands (LIM-054). */
  readonly commandsMax: number;
}

/** Default limits of LIM-054 and LIM-058. */
const defaultReceiveLimits: ReceiveLimits = { commandsMax: 10_000, pushOptionsMax: 64, pushOptionBytesMax: 1024 };

/**
 * Bytes of commands that are kept (LIM-054): each may have a name of 128 bytes, on average. All updates are committed in
 * one step, which takes a second for 10,000 of the longest names. Above that the push is refused, and the report is cut
 * to what was kept.
 */
const keptPerAllowed = 210;
const keptLeast = 64 * 1024;
/** The same limit for shallow lines (LIM-059). */
const shallowMax = 16 * 1024 * 1024;

/** Memory in bytes for a command until its push ends, besides its name, which is kept in several forms. */
const keptPerCommand = 512;
const keptPerNameByte = 3;
/** Memory in bytes for a shallow line, in a list and in a set. */
const keptPerShallow = 128;
/** Bytes that every push has for its commands and shallow lines, so that a refused push still gets its report. */
const keptAtFirst = 64 * 1024;

/** Accounts for `bytes` more of memory. Returns an error if memory is short, which refuses the push. */
export type KeepBytes = (bytes: number) => NotEnoughMemoryError | undefined;

/**
 * Reads all of a push before its pack: shallow lines, commands, push options.
 *
 * `keep` accounts for what the lines take beyond what every push has. Default: no limit.
 *
 * @throws {MalformedRequestError} GIT-016, and for a command that cannot be read.
 * @throws {RequestTooLargeError} above the reader's limit.
 */
export async function parseReceiveRequest(
  reader: PacketReader,
  given: Partial<ReceiveLimits> = {},
  keep: KeepBytes = () => undefined,
): Promise<ReceiveRequest> {
  const limits = { ...defaultReceiveLimits, ...given };
  const { commands, shallow, capabilities, refusal } = await readCommands(reader, limits, keep);
  const options = capabilities.has('push-options') && commands.length > 0 ? await readPushOptions(reader, limits) : [];
  return {
    commands,
    shallow,
    report: capabilities.has('report-status-v2')
      ? 'report-status-v2'
      : capabilities.has('report-status')
        ? 'report-status'
        : 'none',
    sideBand: capabilities.has('side-band-64k') ? 'side-band-64k' : 'none',
    atomic: capabilities.has('atomic'),
    quiet: capabilities.has('quiet'),
    pushOptions: options ?? [],
    refusal: refusal ?? (options === undefined ? tooManyOptions(limits) : undefined),
  };
}

interface CommandList {
  commands: RefCommand[];
  shallow: ObjectId[];
  capabilities: Capabilities;
  refusal: ReceiveRefusal | undefined;
}

async function readCommands(reader: PacketReader, limits: ReceiveLimits, keep: KeepBytes): Promise<CommandList> {
  const commands: RefCommand[] = [];
  const shallow: ObjectId[] = [];
  let capabilities: Capabilities = new Map();
  let refusal: ReceiveRefusal | undefined;
  let certificate: PushCertificate | undefined;
  const commandBytesMax = Math.max(keptLeast, keptPerAllowed * limits.commandsMax);
  const roomFor = { commands: commandBytesMax, shallow: shallowMax };
  const free = { commands: keptAtFirst, shallow: keptAtFirst };
  const kept = (list: keyof typeof roomFor, line: Uint8Array, memory: number): boolean => {
    roomFor[list] -= line.length;
    free[list] -= memory;
    if (roomFor[list] < 0) {
      refusal ??= list === 'commands' ? tooMany(`${commandBytesMax} bytes`) : limitRefusal('not enough memory');
    } else if (free[list] < 0) {
      const reason = keep(memory)?.message;
      if (reason === undefined) return true;
      refusal ??= { reason, commandReason: 'not enough memory' };
    }
    return roomFor[list] >= 0 && free[list] >= 0;
  };
  const take = (line: Uint8Array): void => {
    const { command, otherFormat } = parseRefCommand(line);
    if (otherFormat) refusal ??= unpackRefusal(unsupportedObjectFormat('sha256'));
    if (commands.length >= limits.commandsMax) refusal ??= tooMany(`${limits.commandsMax}`);
    const fits = kept('commands', line, keptPerCommand + keptPerNameByte * command.ref.length);
    // The first command stays: without it the push would contain no command.
    if (fits || commands.length === 0) commands.push(command);
  };
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush after the commands');
    if (packet.kind === 'flush') break;
    if (packet.kind === 'delim') throw new MalformedRequestError('a delimiter outside version 2');
    if (certificate?.open === true) {
      const command = certificate.commandOf(packet.bytes);
      if (command !== undefined) take(command);
      continue;
    }
    const zero = packet.bytes.indexOf(0);
    const line = zero < 0 ? withoutLf(packet.bytes) : packet.bytes.subarray(0, zero);
    if (zero >= 0 && capabilities.size === 0)
      capabilities = parseCapabilities(decodeLossy(withoutLf(packet.bytes.subarray(zero + 1))));
    const text = decodeLossy(line.subarray(0, 'shallow '.length + 64));
    if (text.startsWith('shallow ')) {
      const oid = parseShallowLine(text, line.length);
      if (kept('shallow', line, keptPerShallow)) shallow.push(oid);
    } else if (text === 'push-cert') certificate = new PushCertificate();
    else take(line);
  }
  const format = capabilities.get('object-format');
  if (format !== undefined && format !== objectFormat) refusal = unpackRefusal(unsupportedObjectFormat(format));
  if (certificate !== undefined) refusal = unpackRefusal('push certificates are not supported');
  return { commands, shallow, capabilities, refusal };
}

function limitRefusal(reason: string): ReceiveRefusal {
  return { reason, commandReason: reason };
}

/** Makes the refusal of a push above a limit (LIM-054). */
function tooMany(limit: string): ReceiveRefusal {
  const commandReason = 'too many ref updates';
  return { reason: `${commandReason}: limit ${limit} (push_commands_max)`, commandReason };
}

/** Makes the refusal of push options above a limit (LIM-058). */
function tooManyOptions({ pushOptionsMax, pushOptionBytesMax }: PushOptionLimits): ReceiveRefusal {
  const commandReason = 'too many push options';
  const limit = `${pushOptionsMax} (push_options_max) of ${pushOptionBytesMax} bytes each (push_option_bytes_max)`;
  return { reason: `${commandReason}: limit ${limit}`, commandReason };
}

function unpackRefusal(reason: string): ReceiveRefusal {
  return { reason, commandReason: 'unpacker error' };
}

/**
 * A signed push (gitprotocol-pack(5), "Push Certificate"). It is never advertised and always refused (GIT-048), but its
 * commands are read so that the report can name them.
 */
class PushCertificate {
  #part: 'header' | 'commands' | 'signature' | 'end' = 'header';

  /** True while packets belong to the certificate. */
  get open(): boolean {
    return this.#part !== 'end';
  }

  /** The command in a packet of the certificate, if there is one. */
  commandOf(packet: Uint8Array): Uint8Array | undefined {
    const line = withoutLf(packet);
    const start = decodeLossy(line.subarray(0, 20));
    if (start === 'push-cert-end') this.#part = 'end';
    else if (this.#part === 'header' && line.length === 0) this.#part = 'commands';
    else if (this.#part === 'commands' && start.startsWith('-----BEGIN')) this.#part = 'signature';
    else if (this.#part === 'commands') return line;
    return undefined;
  }
}

/** Limits of push options (LIM-058). */
interface PushOptionLimits {
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
async function readPushOptions(
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
