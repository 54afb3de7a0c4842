import { parseObjectId, zeroObjectId, type ObjectId } from '../object/object-id.ts';
import { parseRefName, type RefName } from '../refs/ref-name.ts';
import { objectFormat, parseCapabilities, unsupportedObjectFormat, type Capabilities } from './capabilities.ts';
import { PushCertificate } from './push-certificate.ts';
import type { PacketReader } from './packet-reader.ts';
import { withoutLf } from './pkt-line.ts';
import { MalformedRequestError } from './request-error.ts';
import { decodeLossy } from './utf8.ts';

/** What a push asks for; the pack is what the reader has left, {@link PacketReader.rest} (GIT-110). */
export interface ReceiveRequest {
  /** In the order sent. Without any the reply is empty. */
  readonly commands: readonly RefCommand[];
  /** The more detailed of what was asked for (GIT-112, GIT-115). */
  readonly report: 'none' | 'report-status' | 'report-status-v2';
  readonly sideBand: 'none' | 'side-band-64k';
  readonly atomic: boolean;
  readonly quiet: boolean;
  /** Commits whose parents the client does not have (GIT-119). */
  readonly shallow: readonly ObjectId[];
  /** As sent, without the LF; none if they were not negotiated (GIT-117). */
  readonly pushOptions: readonly Uint8Array[];
  /** Why nothing of this push can be done, as far as the request alone tells (GIT-018). */
  readonly refusal: ReceiveRefusal | undefined;
}

/** `<old> <new> <ref>`. */
export interface RefCommand {
  /** Null: the ref must not exist. */
  readonly old: ObjectId | null;
  /** Null: the ref is deleted. */
  readonly new: ObjectId | null;
  /** Absent if the name is none (GIT-120, GIT-121): then the command is `ng <ref> funny refname`. */
  readonly name: RefName | undefined;
  /** The name as sent: what the report repeats. */
  readonly ref: Uint8Array;
}

export interface ReceiveRefusal {
  /** Of the `unpack` line. */
  readonly reason: string;
  /** Of every `ng` line (GIT-114, GIT-165). */
  readonly commandReason: string;
}

export interface ReceiveLimits {
  /** LIM-054. */
  readonly commandsMax: number;
}

/** LIM-054. */
export const defaultReceiveLimits: ReceiveLimits = { commandsMax: 10_000 };

/** LIM-058. */
const pushOptionsMax = 64;
const pushOptionBytesMax = 1024;

/** Above LIM-054 commands are kept for the report alone, and not for ever: a report of more is cut here. */
const reportedMax = 100_000;

/**
 * Reads all of a push before its pack: shallow lines, commands, push options.
 *
 * @throws {MalformedRequestError} GIT-016, and for a command that cannot be read.
 * @throws {RequestTooLargeError} above the reader's limit.
 */
export async function parseReceiveRequest(reader: PacketReader, limits: ReceiveLimits = defaultReceiveLimits): Promise<ReceiveRequest> {
  const { commands, shallow, capabilities, refusal } = await readCommands(reader, limits);
  const options = capabilities.has('push-options') && commands.length > 0 ? await readPushOptions(reader) : [];
  return {
    commands,
    shallow,
    report: capabilities.has('report-status-v2') ? 'report-status-v2' : capabilities.has('report-status') ? 'report-status' : 'none',
    sideBand: capabilities.has('side-band-64k') ? 'side-band-64k' : 'none',
    atomic: capabilities.has('atomic'),
    quiet: capabilities.has('quiet'),
    pushOptions: options ?? [],
    refusal: refusal ?? (options === undefined ? limitRefusal('too many push options') : undefined),
  };
}

interface CommandList {
  commands: RefCommand[];
  shallow: ObjectId[];
  capabilities: Capabilities;
  refusal: ReceiveRefusal | undefined;
}

async function readCommands(reader: PacketReader, limits: ReceiveLimits): Promise<CommandList> {
  const commands: RefCommand[] = [];
  const shallow: ObjectId[] = [];
  let capabilities: Capabilities = new Map();
  let refusal: ReceiveRefusal | undefined;
  let certificate: PushCertificate | undefined;
  const take = (line: Uint8Array): void => {
    const { command, otherFormat } = parseCommand(line);
    if (otherFormat) refusal ??= unpackRefusal(unsupportedObjectFormat('sha256'));
    if (commands.length >= limits.commandsMax) refusal ??= limitRefusal('too many ref updates');
    if (commands.length < reportedMax) commands.push(command);
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
    if (zero >= 0 && capabilities.size === 0) capabilities = parseCapabilities(decodeLossy(withoutLf(packet.bytes.subarray(zero + 1))));
    const text = decodeLossy(line.subarray(0, 'shallow '.length + 64));
    if (text.startsWith('shallow ')) shallow.push(shallowId(text, line.length));
    else if (text === 'push-cert') certificate = new PushCertificate();
    else take(line);
  }
  const format = capabilities.get('object-format');
  if (format !== undefined && format !== objectFormat) refusal = unpackRefusal(unsupportedObjectFormat(format));
  if (certificate !== undefined) refusal = unpackRefusal('push certificates are not supported');
  return { commands, shallow, capabilities, refusal };
}

const commandIds = /^(?:([0-9a-f]{40}) ([0-9a-f]{40}) |[0-9a-f]{64} [0-9a-f]{64} )/;

function parseCommand(line: Uint8Array): { readonly command: RefCommand; readonly otherFormat: boolean } {
  const match = commandIds.exec(decodeLossy(line.subarray(0, 130)));
  if (match === null || line.length === match[0].length) throw new MalformedRequestError('expected old, new and ref');
  // A copy: a view would keep a whole chunk of the body alive.
  const ref = new Uint8Array(line.subarray(match[0].length));
  const name = parseRefName(ref);
  // An id of the other format names nothing here; the command is only reported.
  if (match[1] === undefined) return { command: { old: null, new: null, name, ref }, otherFormat: true };
  return { command: { old: idOrNull(match[1]), new: idOrNull(match[2]), name, ref }, otherFormat: false };
}

function idOrNull(text: string | undefined): ObjectId | null {
  return text === zeroObjectId ? null : (text as ObjectId);
}

function shallowId(text: string, length: number): ObjectId {
  const oid = parseObjectId(text.slice('shallow '.length));
  if (oid === undefined || length !== 48) throw new MalformedRequestError('expected an object id after shallow');
  return oid;
}

/** The options up to their flush; `undefined` if they break LIM-058. */
async function readPushOptions(reader: PacketReader): Promise<readonly Uint8Array[] | undefined> {
  const options: Uint8Array[] = [];
  let within = true;
  for (;;) {
    const packet = reader.buffered() ?? (await reader.read());
    if (packet === undefined) throw new MalformedRequestError('the body ends before the flush after the push options');
    if (packet.kind === 'flush') return within ? options : undefined;
    if (packet.kind === 'delim') throw new MalformedRequestError('a delimiter outside version 2');
    const option = withoutLf(packet.bytes);
    if (options.length >= pushOptionsMax || option.length > pushOptionBytesMax) within = false;
    else options.push(new Uint8Array(option));
  }
}

function limitRefusal(reason: string): ReceiveRefusal {
  return { reason, commandReason: reason };
}

function unpackRefusal(reason: string): ReceiveRefusal {
  return { reason, commandReason: 'unpacker error' };
}
