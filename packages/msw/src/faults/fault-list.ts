import { copied } from '../values/copied.ts';
import { checkFault, type PossibleFaults } from './check-fault.ts';
import { holdsCredential } from './credential.ts';
import { fitsPath } from './path-pattern.ts';
import type { ChangedPageFault, DroppedConnectionFault, Fault } from './fault.ts';

/**
 * The faults of a mock, which tests can change while it runs. `One` is the type of fault that the mock knows, such as
 * `Fault<Seed>`.
 */
export interface Faults<One> {
  /** The faults that still apply, with their remaining `times`. */
  readonly current: readonly One[];
  /**
   * Adds faults after the existing ones.
   *
   * @throws {MockOptionsError} for an impossible fault.
   */
  add(...faults: readonly One[]): void;
  /** Removes all faults. Requests that wait for a latency continue at once. */
  clear(): void;
}

/** A fault that ends a request with a different reply, or without one. */
export type EndingFault = Exclude<Fault, { kind: 'latency' | 'changed page' }>;

/** The faults that apply to one request. */
export interface AppliedFaults<Content> {
  readonly milliseconds: number;
  /** Aborted when pending latencies must end. */
  readonly lifted: AbortSignal;
  readonly ending: EndingFault | undefined;
  readonly changes: readonly ChangedPageFault<Content>[];
}

/** The faults in order, each with its remaining `times`. */
export class FaultList<Content> implements Faults<Fault<Content>> {
  readonly #possible: PossibleFaults;
  readonly #first: readonly Fault<Content>[];
  #faults: readonly Fault<Content>[] = [];
  #lifted = new AbortController();

  /** @throws {MockOptionsError} for an impossible fault. */
  constructor(faults: readonly Fault<Content>[], possible: PossibleFaults) {
    this.#possible = possible;
    for (const [number, fault] of faults.entries()) checkFault(`faults[${number}]`, fault, possible);
    this.#first = faults.map(own);
    this.#faults = this.#first;
  }

  /** Restores the faults of the constructor, and ends pending latencies as {@link clear} does. */
  restart(): void {
    this.clear();
    this.#faults = this.#first;
  }

  get current(): readonly Fault<Content>[] {
    return copied(this.#faults);
  }

  add(...faults: readonly Fault<Content>[]): void {
    for (const fault of faults) checkFault('faults', fault, this.#possible);
    this.#faults = [...this.#faults, ...faults.map(own)];
  }

  clear(): void {
    this.#faults = [];
    this.#lifted.abort();
    this.#lifted = new AbortController();
  }

  /** Takes the faults that apply to a request, and counts the request. */
  take(request: Request): AppliedFaults<Content> {
    const applied = this.#faults.filter((fault) => concerns(fault, request, this.#possible));
    const ending = applied.find(isEnding);
    const isAnswered = ending === undefined || isDropped(ending, 'reply');
    const taken = new Set(
      applied.filter((fault) => {
        if (fault.kind === 'changed page') return isAnswered;
        return fault.kind === 'latency' || fault === ending;
      }),
    );
    this.#faults = this.#faults.flatMap((fault) => (taken.has(fault) ? oneLess(fault) : [fault]));
    const latencies = [...taken].map((fault) => (fault.kind === 'latency' ? fault.milliseconds : 0));
    return {
      milliseconds: latencies.reduce((sum, milliseconds) => sum + milliseconds, 0),
      lifted: this.#lifted.signal,
      ending,
      changes: [...taken].filter((fault) => fault.kind === 'changed page'),
    };
  }
}

/** Returns true if the connection breaks at this point. */
export function isDropped(fault: EndingFault | undefined, lost: NonNullable<DroppedConnectionFault['lost']>): boolean {
  return fault?.kind === 'dropped connection' && (fault.lost ?? 'request') === lost;
}

function concerns(fault: Fault<unknown>, request: Request, { members }: PossibleFaults): boolean {
  const { pathname } = new URL(request.url);
  const { method = request.method, path = '*' } = fault;
  if (method.toUpperCase() !== request.method.toUpperCase()) return false;
  if (!fitsPath(path, pathname)) return false;
  if (fault.kind === 'expired token') return holdsCredential(request, fault.token);
  // A service with tokens does not count a request without a token.
  const needsToken = members['expired token'] !== undefined && !pathname.startsWith('/cdn-cgi/');
  return fault.kind !== 'rate limit' || !needsToken || holdsCredential(request, undefined);
}

function isEnding(fault: Fault<unknown>): fault is EndingFault {
  return fault.kind !== 'latency' && fault.kind !== 'changed page';
}

/** Returns the fault with one use fewer; empty if that was the last use. */
function oneLess<Content>(fault: Fault<Content>): readonly Fault<Content>[] {
  if (fault.times === undefined) return [fault];
  return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
}

/** Copies a fault, so that later changes to the caller's object have no effect. */
function own<Content>(fault: Fault<Content>): Fault<Content> {
  // A change can be made only once.
  return copied(fault.kind === 'changed page' ? { ...fault, times: fault.times ?? 1 } : fault);
}
