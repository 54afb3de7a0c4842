import { AsyncLocalStorage } from 'node:async_hooks';
import type { BodyCopy, BodyPart } from './body-copy.ts';

/** Steps kept of a case: its last ones. */
const stepsMax = 40;

/** Milliseconds to wait for bodies that the case left unread. */
const unreadWait = 1000;

/** A step while it is recorded, with secrets. */
export type OpenStep = OpenHttpStep | OpenGitStep;

export interface OpenHttpStep {
  readonly kind: 'http';
  readonly at: number;
  readonly raw: boolean;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: BodyCopy | null;
  milliseconds: number | null;
  reply: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: BodyCopy | null;
    /** Reads the start of the body, if the case has not begun to read it. */
    readonly readStart?: () => Promise<void>;
  } | null;
  error: string | null;
}

export interface OpenGitStep {
  readonly kind: 'git';
  readonly at: number;
  readonly arguments: readonly string[];
  readonly credential: boolean;
  milliseconds: number | null;
  status: number | null;
  stdout: BodyPart | null;
  stderr: BodyPart | null;
  error: string | null;
}

/** The record of one running case. */
export interface Recorder {
  /** Milliseconds since the case began. */
  now(): number;
  add(step: OpenStep): void;
  isEmpty(): boolean;
  /** Begins another input of a property. The steps of earlier inputs are dropped. */
  nextInput(): void;
  /** Keeps the steps of this input for the report. A later input that fails is smaller, and replaces it. */
  inputFailed(): void;
  /** Reads the starts of bodies that the case left unread: a status of 500 is explained there. Waits a second at most. */
  readUnread(): Promise<void>;
  /** Returns the steps for the report, and the number of all others. */
  end(): { readonly steps: readonly OpenStep[]; readonly leftOut: number };
}

/** Starts the record of a case. Its memory is bounded. */
export function startRecorder(): Recorder {
  const began = performance.now();
  let steps: OpenStep[] = [];
  let ofFailed: readonly OpenStep[] | undefined;
  let count = 0;
  return {
    now: () => Math.round(performance.now() - began),
    add(step) {
      count += 1;
      steps.push(step);
      if (steps.length > stepsMax) steps.shift();
    },
    isEmpty: () => count === 0,
    nextInput() {
      steps = [];
    },
    inputFailed() {
      ofFailed = steps;
    },
    async readUnread() {
      const unread = (ofFailed ?? steps).map((step) => step.kind === 'http' && step.reply?.readStart?.());
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, unreadWait)));
      await Promise.race([late, Promise.allSettled(unread)]);
      clearTimeout(timer);
    },
    end() {
      const kept = ofFailed ?? steps;
      return { steps: kept, leftOut: count - kept.length };
    },
  };
}

const running = new AsyncLocalStorage<Recorder>();

/** Runs a case, so that everything below it finds the recorder without a parameter. */
export function recording<T>(recorder: Recorder, run: () => T): T {
  return running.run(recorder, run);
}

/** Returns the recorder of the case that runs; undefined outside of cases. */
export function currentRecorder(): Recorder | undefined {
  return running.getStore();
}
