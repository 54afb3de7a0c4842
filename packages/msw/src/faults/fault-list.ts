import { MockOptionsError } from '../handlers/origin.ts';
import { holdsCredential } from './credential.ts';
import type { ChangedPageFault, DroppedConnectionFault, Fault } from './fault.ts';

/** The faults of a mock, to be changed while it runs. */
export interface Faults<Content> {
  /** Those that still apply, with the `times` that are left. */
  readonly current: readonly Fault<Content>[];
  /**
   * Adds faults behind those that are there.
   *
   * @throws {MockOptionsError} for one that cannot be.
   */
  add(...faults: readonly Fault<Content>[]): void;
  /** Removes all. */
  clear(): void;
}

/** A fault that ends a request in another way. */
export type EndingFault = Exclude<Fault, { kind: 'latency' | 'changed page' }>;

/** What applies to one request. */
export interface AppliedFaults<Content> {
  readonly milliseconds: number;
  readonly ending: EndingFault | undefined;
  readonly changes: readonly ChangedPageFault<Content>[];
}

/** Faults by their order, each with what is left of it. */
export class FaultList<Content> implements Faults<Content> {
  readonly #first: readonly Fault<Content>[];
  #faults: Fault<Content>[] = [];

  constructor(faults: readonly Fault<Content>[]) {
    this.add(...faults);
    this.#first = this.#faults.map((fault) => ({ ...fault }));
  }

  /** As it was when it was made. */
  restart(): void {
    this.#faults = this.#first.map((fault) => ({ ...fault }));
  }

  get current(): readonly Fault<Content>[] {
    return [...this.#faults];
  }

  add(...faults: readonly Fault<Content>[]): void {
    for (const fault of faults) check(fault);
    this.#faults.push(...faults.map((fault) => ({ ...fault })));
  }

  clear(): void {
    this.#faults = [];
  }

  /** Takes what applies to a request, and counts it. */
  take(request: Request): AppliedFaults<Content> {
    let milliseconds = 0;
    let ending: EndingFault | undefined;
    const changes: ChangedPageFault<Content>[] = [];
    this.#faults = this.#faults.flatMap((fault) => {
      if (!concerns(fault, request)) return [fault];
      if (fault.kind === 'latency') milliseconds += fault.milliseconds;
      else if (fault.kind === 'changed page') changes.push(fault);
      else if (ending === undefined) ending = fault;
      else return [fault];
      if (fault.times === undefined) return [fault];
      return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
    });
    return { milliseconds, ending, changes };
  }
}

/** Whether the connection breaks at this point. */
export function isDropped(fault: EndingFault | undefined, lost: NonNullable<DroppedConnectionFault['lost']>): boolean {
  return fault?.kind === 'dropped connection' && (fault.lost ?? 'request') === lost;
}

function concerns(fault: Fault<unknown>, request: Request): boolean {
  const { pathname } = new URL(request.url);
  const { method = request.method, path = '*' } = fault;
  if (method.toUpperCase() !== request.method) return false;
  if (path.endsWith('*') ? !pathname.startsWith(path.slice(0, -1)) : pathname !== path) return false;
  return fault.kind !== 'expired token' || holdsCredential(request, fault.token);
}

const kinds: ReadonlySet<string> = new Set<Fault['kind']>([
  'platform error',
  'latency',
  'dropped connection',
  'rate limit',
  'expired token',
  'changed page',
]);

/** Where a type was not checked, a fault that does nothing would be a test that shows nothing. */
function check(fault: Fault<unknown>): void {
  const demand = (holds: boolean, text: string): void => {
    if (!holds) throw new MockOptionsError(`faults: ${text}`);
  };
  demand(kinds.has(fault.kind), `expected a kind of ${[...kinds].join(', ')}`);
  demand(fault.path === undefined || /^(?:\/|\*$)/.test(fault.path), 'path: expected one that begins with a slash');
  demand(fault.times === undefined || isWhole(fault.times, 1), 'times: expected a whole number of at least 1');
  if (fault.kind === 'rate limit') demand(isWhole(fault.retryAfter, 1), 'retryAfter: expected whole seconds');
  if (fault.kind === 'latency') demand(isWhole(fault.milliseconds, 0), 'milliseconds: expected a whole number');
  if (fault.kind === 'platform error') demand(isWhole(fault.code, 1), 'code: expected a number of the catalogue');
}

function isWhole(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}
