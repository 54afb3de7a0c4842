import { deletionOr, type RepoSnapshot, RepoGoneError } from '../ports/repo-state.ts';
import { storageTrouble } from '../ports/storage-trouble.ts';
import { rowPackMax } from '../pack/receive/incoming-pack.ts';
import { smallPush } from '../pack/receive/memory-plan.ts';
import { PackError } from '../pack/pack-error.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import { replyStream } from '../reply/reply-stream.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { pushStart, requestMemoryMax, reserveFor, viewMemory } from '../engine/request-memory.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { PacketReader } from '../wire/packet-reader.ts';
import { parseReceiveRequest, type ReceiveLimits, type ReceiveRequest } from '../wire/push/receive-request.ts';
import { writeReport, type PushReport } from '../wire/push/report.ts';
import { encodeBand } from '../wire/side-band.ts';
import { CommandVerdicts, type CommandRules } from './commands.ts';
import { PushUncertainError } from './commit-change.ts';
import { PackInput } from './pack-input.ts';
import { applyPush, type PushTarget, type PushOutcome } from './push.ts';
import type { PushRules } from './push-rules.ts';

export interface ReceivePackOptions extends PushRules, Omit<CommandRules, 'defaultBranch'>, Partial<ReceiveLimits> {
  /** Maximum size of the request's body (LIM-052). */
  readonly bodyMax: number;
  /** Milliseconds of silence before a keep-alive (LIM-063). */
  readonly keepAlive: number;
  /** Informs the rest of the service before the client reads `ok`. If it fails, the push is not undone. */
  readonly committed: (outcome: PushOutcome) => Promise<void>;
  /** Receives the push options of GIT-117. */
  readonly pushOptions?: ((options: readonly Uint8Array[]) => void) | undefined;
  /** Receives unexpected failures, for logs. */
  readonly failed: (error: unknown) => void;
}

/**
 * Handles one POST to `git-receive-pack`. Resolves when the whole request was read, or was refused earlier.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestTooLargeError} LIM-052.
 * @throws {NotEnoughMemoryError} LIM-080, before it reads the body.
 */
export async function receivePack(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  body: AsyncIterable<Uint8Array>,
  options: ReceivePackOptions,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const reader = new PacketReader(body, options.bodyMax);
  const lease = engine.leases.take(snapshot.packs);
  const reservation = await reserveFor(engine, snapshot, pushStart, options).catch(async (error: unknown) => {
    lease.release();
    await reader.cancel().catch(() => {});
    throw error;
  });
  const memory = new RequestAccount(reservation);
  const release = (): void => {
    memory.release();
    lease.release();
  };
  const request = await parseReceiveRequest(reader, options, (bytes) => memory.keep(bytes)).catch(
    async (error: unknown) => {
      release();
      await reader.cancel();
      throw error;
    },
  );
  if (request.commands.length === 0) {
    release();
    await reader.cancel();
    return new Uint8Array(0);
  }
  if (request.pushOptions.length > 0) options.pushOptions?.(request.pushOptions);
  const input = new PackInput(reader.rest());
  const work = handlePush({ engine, repository, snapshot, memory }, request, input, options).finally(release);
  // The reply handles a later failure. Until then it must not count as unhandled.
  work.catch(() => {});
  await Promise.race([input.ended, work]);
  return replyStream(reply(request, work), {
    keepAlive: request.sideBand === 'none' ? undefined : options.keepAlive,
    keepAliveFirst: true,
    failure: () => undefined,
    work,
  });
}

async function* reply(request: ReceiveRequest, work: Promise<PushReport>): AsyncGenerator<Uint8Array, void, undefined> {
  const report = await work;
  // GIT-165: a sentence for people, if it does not disturb the report.
  if (report.unpack !== 'ok' && !request.quiet && request.sideBand !== 'none') {
    yield encodeBand(2, `The push was refused: ${report.unpack}\n`, request.sideBand);
  }
  yield writeReport(request, report);
}

async function handlePush(
  target: PushTarget,
  request: ReceiveRequest,
  input: PackInput,
  options: ReceivePackOptions,
): Promise<PushReport> {
  const { snapshot, memory } = target;
  const verdicts = new CommandVerdicts(request.commands, { ...options, defaultBranch: snapshot.defaultBranch });
  const refusal = await takePush(target, request, input, options, verdicts);
  if (refusal === undefined) return { unpack: 'ok', results: verdicts.results() };
  // A refused push may be long, and must not keep memory that others could use.
  memory.release();
  await input.drain();
  return {
    unpack: refusal.reason,
    results: request.commands.map(({ ref }) => ({ ref, reason: refusal.commandReason })),
  };
}

/**
 * Applies a push. Returns the reason if it is refused as a whole, and not the error: the stack of an error keeps the
 * buffers of the functions in it alive.
 */
async function takePush(
  target: PushTarget,
  request: ReceiveRequest,
  input: PackInput,
  options: ReceivePackOptions,
  verdicts: CommandVerdicts,
): Promise<PushRefusal | undefined> {
  const { engine, snapshot, memory } = target;
  try {
    if (request.refusal !== undefined) return refusalOf(request.refusal);
    const needsPack = request.commands.some((command) => command.new !== null);
    let packLength: number | undefined;
    if (!needsPack) await input.drain();
    else if (await input.isEmpty()) return { reason: 'missing pack', commandReason: 'unpacker error' };
    else packLength = await input.gather(rowPackMax, (bytes) => memory.holdBody(bytes));
    await memory.resize(smallPush, viewMemory(engine, snapshot));
    const outcome = await applyPush({
      ...target,
      verdicts,
      request,
      input: needsPack ? input : undefined,
      rules: { ...options, bodyLength: packLength ?? options.bodyLength },
    });
    if (outcome !== undefined) await options.committed(outcome).catch(options.failed);
    return undefined;
  } catch (error) {
    if (input.failure !== undefined) throw input.failure;
    const refused = error instanceof NotEnoughMemoryError ? memoryRefusal(engine, options, error) : error;
    if (refused instanceof PackError) return refusalOf(refused);
    if (error instanceof WorkAbortedError) throw error;
    if ((await deletionOr(error, target.repository)) instanceof RepoGoneError) {
      return { reason: 'ok', commandReason: 'repository deleted' };
    }
    options.failed(error);
    if (error instanceof PushUncertainError) {
      await input.drain();
      // Break off the reply: a client without a report checks again, one that reads `ng` does not.
      throw error;
    }
    const trouble = storageTrouble(error);
    if (trouble === 'disk full') engine.prepared.makeWay();
    if (trouble !== undefined) return { reason: trouble, commandReason: trouble };
    return { reason: 'internal error', commandReason: 'unpacker error' };
  }
}

/** Texts in the report of a refused push: of the pack, and of each command. */
type PushRefusal = Pick<PackError, 'reason' | 'commandReason'>;

function refusalOf({ reason, commandReason }: PushRefusal): PushRefusal {
  return { reason, commandReason };
}

/** The plan is limited by the memory that the process has for one request, which may be less than the setting. */
function memoryRefusal(engine: GitEngine, { memoryMax }: ReceivePackOptions, error: NotEnoughMemoryError): PackError {
  const { refusal } = error;
  const isOfProcess = refusal.setting === 'request_memory_max' && requestMemoryMax(engine, memoryMax) < memoryMax;
  const { message } = isOfProcess ? new NotEnoughMemoryError({ ...refusal, setting: 'memory_max' }) : error;
  return new PackError(message, 'not enough memory');
}
