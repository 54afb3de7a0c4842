import { cost, unitsOf } from '@packhouse/git';
import { requestsMemory } from '../service/temporary-service.ts';
import type { Outcome } from './evaluate.ts';

/** Header bytes of every request, so that short bodies do not look costlier than they are. */
const overhead = 500;
const million = 1e6;

/** Nanoseconds for which one step may block the event loop. */
export const stepMax: number = 250 * million;
/** Nanoseconds of one step that may go uncounted: garbage collection takes as long. */
const uncountedMax = 60 * million;
/** Units of work in one request that may go uncounted: headers, requests, small rows. */
const hiddenMax = 30 * million;
/** Units that one request may use: each byte that LIM-068 allows is inflated, created and hashed. */
const workMax = 60_000 * million;
/** Bytes that may be stored in addition to the sent bytes, and per sent byte (LIM-070). */
const storedMax = 16 * 1024 * 1024;
const storedPerByte = 8;
/** Bytes of one request that may exceed the engine's account. */
const unseenMemoryMax = 128 * 1024 * 1024;

export type ScoreName = 'work' | 'step' | 'uncounted' | 'memory' | 'stored' | 'reply';

/** Divides an amount by the bytes sent. */
export function perByte({ sent }: Outcome, amount: number): number {
  return amount / (sent + overhead);
}

/**
 * Areas without a scheduler to read counts from. Tagging needs no Git engine: its settings bound each step
 * (`account_tags_max`, `rest_body_max`). A mock has its own engine.
 */
const uncountedAreas: ReadonlySet<string> = new Set(['tags', 'mocks']);

/** The scores that rank inputs. */
export const scores: Readonly<Record<ScoreName, (outcome: Outcome) => number>> = {
  /** Units per sent byte. */
  work: (outcome) => perByte(outcome, Math.max(outcome.units, outcome.cpu)),
  /** The longest step. */
  step: ({ longest }) => Math.max(longest.units, longest.cpu),
  uncounted: ({ uncounted }) => uncounted.cpu - uncounted.units,
  memory: (outcome) => perByte(outcome, outcome.memory),
  stored: (outcome) => perByte(outcome, outcome.stored),
  reply: (outcome) => perByte(outcome, outcome.replied),
};

/** Returns faults by the clock: steps that took too long, or much longer than counted. */
export function slowSteps({ area, longest, uncounted, memory, reserved }: Outcome): readonly string[] {
  const faults: string[] = [];
  if (longest.cpu > stepMax) faults.push(`one step took ${milliseconds(longest.cpu)}`);
  const isHidden = uncounted.cpu - uncounted.units > uncountedMax && uncounted.units < uncounted.cpu / 4;
  if (isHidden && !uncountedAreas.has(area)) {
    faults.push(`a step of ${milliseconds(uncounted.cpu)} counted ${milliseconds(uncounted.units)}`);
  }
  if (memory - reserved > unseenMemoryMax) {
    faults.push(
      `it took ${Math.round(memory / million)} MB, of which the account saw ${Math.round(reserved / million)}`,
    );
  }
  return faults;
}

/**
 * Returns faults that do not depend on the machine: large steps, requested work that was not counted, unexpected
 * failures.
 */
export function brokenBounds(outcome: Outcome): readonly string[] {
  const { area, step, stepAsked, units, requests, sent, stored, reserved, hidden, answers, failures } = outcome;
  const faults: string[] = [];
  if (units > workMax * requests) faults.push(`it took ${milliseconds(units / requests)} of work a request`);
  if (stored > storedMax * requests + storedPerByte * sent) faults.push(`it left ${stored} bytes`);
  if (reserved > requestsMemory) faults.push(`its account held ${reserved} bytes`);
  if (step > stepMax) faults.push(`one step counted ${milliseconds(step)} of work`);
  if (stepAsked > stepMax) faults.push(`one step asked for ${milliseconds(stepAsked)} of work`);
  const isHidden = hidden !== undefined && (hidden.asked - hidden.counted) * unitsOf[cost[hidden.kind]] > hiddenMax;
  if (isHidden && !uncountedAreas.has(area)) {
    faults.push(`of ${hidden.asked} ${hidden.kind}, ${hidden.counted} were counted`);
  }
  for (const answer of answers) {
    // An import answers 502 if its remote sends nonsense, and a full service answers 503.
    if (/^5(?!02|03)/.test(answer) || answer.startsWith('threw')) faults.push(`it was answered ${answer}`);
  }
  for (const failure of failures) faults.push(`it was reported as ${failure}`);
  return faults;
}

function milliseconds(time: number): string {
  return `${Math.round(time / million)} ms`;
}
