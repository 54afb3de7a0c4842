import { cost, unitsOf } from '@packhouse/git';
import type { LocalService } from '../service/local-service.ts';
import { PassMeter } from '../service/pass-meter.ts';
import { storedBytes } from '../service/stored-bytes.ts';
import type { Session, Values } from './inputs/area.ts';

/** The cost of one input. */
export interface Outcome {
  readonly area: string;
  readonly values: Values;
  /** Bytes sent. */
  readonly sent: number;
  readonly replied: number;
  /** The number of requests. */
  readonly requests: number;
  /** Units that the engine counted. */
  readonly units: number;
  /** Nanoseconds of the main thread. */
  readonly cpu: number;
  /**
   * Most units in one turn of the event loop: as the engine counted them, and as requested of codec, SQLite and JSON.
   */
  readonly step: number;
  readonly stepAsked: number;
  /** The kind with the most uncounted work: requested of codec and SQLite, but not counted by the engine. */
  readonly hidden: Hidden | undefined;
  /** The cost of the longest pass. */
  readonly longest: { readonly units: number; readonly cpu: number };
  /** The cost of the pass whose time exceeds its units most. */
  readonly uncounted: { readonly units: number; readonly cpu: number };
  /** Peak bytes of array buffers above those at the start. */
  readonly memory: number;
  /** Peak bytes in the engine's own account of memory. */
  readonly reserved: number;
  /** Bytes of packs, indexes and graphs of the repositories that the input created. */
  readonly stored: number;
  /** The distinct replies. */
  readonly answers: readonly string[];
  /** Failures that were reported as unexpected. */
  readonly failures: readonly string[];
  /** Milliseconds to build the input. */
  readonly building: number;
}

/** Work that was requested, and that the engine did not count. */
export interface Hidden {
  readonly kind: keyof typeof cost;
  readonly asked: number;
  readonly counted: number;
}

/** Runs one input in a session. `isTimed`: also measure time and the memory of the process. */
export async function evaluate(area: string, session: Session, values: Values, isTimed: boolean): Promise<Outcome> {
  const { service } = session;
  const began = performance.now();
  const reposBefore = service.repos.length;
  const { sent, run } = await session.trial(values);
  const building = performance.now() - began;
  let [units, cpu] = [0, 0];
  let longest = { units: 0, cpu: 0 };
  let uncounted = { units: 0, cpu: 0 };
  const before = process.memoryUsage().arrayBuffers;
  let memory = 0;
  let reserved = 0;
  const failuresBefore = service.failures.length;
  const meter = new PassMeter(service.engine.scheduler.totals, (pass) => {
    const time = isTimed ? pass.cpu * 1000 : 0;
    units += pass.units;
    cpu += time;
    if (time > longest.cpu) longest = { units: pass.units, cpu: time };
    if (time - pass.units > uncounted.cpu - uncounted.units) uncounted = { units: pass.units, cpu: time };
    reserved = Math.max(reserved, service.engine.admission.reserved);
    if (time > 1e6) memory = Math.max(memory, process.memoryUsage().arrayBuffers - before);
  });
  const asked = new PassMeter(service.asked);
  const [countedBefore, askedBefore] = [service.engine.scheduler.totals.slice(), service.asked.slice()];
  // The turn that built the input is not part of its cost.
  await new Promise((resolve) => setImmediate(resolve));
  meter.start();
  asked.start();
  let answers: readonly string[];
  let replied = 0;
  let requests = 1;
  try {
    const replies = await run();
    requests = Math.max(1, replies.length);
    replied = replies.reduce((sum, { body }) => sum + body.length, 0);
    answers = [...new Set(replies.map(({ status, body }) => `${status} ${firstLine(body)}`))].slice(0, 4);
  } catch (error) {
    answers = [`threw ${String(error)}`];
  }
  meter.stop();
  asked.stop();
  const hidden = hiddenOf(service, countedBefore, askedBefore);
  const stored = await storedBytes(service, service.repos.slice(reposBefore));
  const failures = service.failures
    .slice(failuresBefore)
    // The log tells the operator why an import failed. That is the fault of the remote, not of the service.
    .filter((failure) => !(failure instanceof Error && failure.name === 'ImportFailure'))
    .map((failure) => describe(failure));
  return {
    area,
    values,
    sent,
    replied,
    requests,
    units,
    cpu,
    step: meter.longest,
    stepAsked: asked.longest,
    hidden,
    longest,
    uncounted,
    memory,
    reserved,
    stored,
    answers,
    failures,
    building,
  };
}

/** The kinds that can be requested of a codec and SQLite. Each is compared with the engine's count. */
const held = ['inflated', 'deflated', 'hashed', 'compared', 'rows'] as const;

function hiddenOf(
  { engine, asked }: LocalService,
  countedBefore: Float64Array,
  askedBefore: Float64Array,
): Hidden | undefined {
  let worst: (Hidden & { readonly units: number }) | undefined;
  for (const kind of held) {
    const number = cost[kind];
    const wanted = (asked[number] ?? 0) - (askedBefore[number] ?? 0);
    const counted = (engine.scheduler.totals[number] ?? 0) - (countedBefore[number] ?? 0);
    const units = (wanted - counted) * unitsOf[number];
    if (units > (worst?.units ?? 0)) worst = { kind, asked: wanted, counted, units };
  }
  return worst;
}

function firstLine(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 120))
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]+/g, ' ');
}

function describe(failure: unknown): string {
  return failure instanceof Error
    ? `${failure.message} ${failure.stack?.split('\n')[1]?.trim()}`
    : JSON.stringify(failure);
}
