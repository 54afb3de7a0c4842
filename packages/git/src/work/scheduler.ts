import { sliceUnits, unitsOf, type Cost } from './costs.ts';

/** The client disconnected before its request had an effect. */
export class WorkAbortedError extends Error {
  override readonly name = 'WorkAbortedError';

  constructor() {
    super('the client left');
  }
}

/** Counts the work of loops, and interrupts them. */
export interface Work {
  /**
   * Counts work that was done, or is about to be; `amount` defaults to 1. Returns true if the caller should {@link
   * Work.yield} now.
   */
  spend(kind: Cost, amount?: number): boolean;
  /**
   * Lets other requests, timers and sockets run.
   *
   * @throws {WorkAbortedError}
   */
  yield(): Promise<void>;
}

export interface WorkOptions {
  /**
   * Requests with the same text share one part of the processor, such as those of one token. Default: a separate part.
   */
  readonly tenant?: string | undefined;
  /** Ends the work at its next yield, until {@link RequestWork.keep} is called. */
  readonly signal?: AbortSignal | undefined;
  /** Receives each counted amount. If it throws, the work ends. */
  readonly onSpend?: ((kind: Cost, amount: number) => void) | undefined;
}

export interface SchedulerOptions {
  /** Resolves in the next pass of the event loop. Default: `setImmediate`, or a timer without it. */
  readonly pause?: () => Promise<void>;
}

/** Maximum number of idle tenants whose use is recorded. */
const tenantsMax = 1024;
/** Passes that work may miss. After that its request has ended: on Workers its code no longer runs. */
const missedMax = 64;

/**
 * Shares the processor between all requests of a process or isolate. Loops count their work in units ({@link unitsOf}),
 * and yield when all of them together have spent {@link sliceUnits} in this pass of the event loop. Each pass then
 * resumes one waiting work: of the tenant that has used least (start-time fair queueing), its youngest request. Work
 * that never uses up a slice, such as a health check, never waits.
 *
 * Waiting work polls: on Workers a request must not wait for another's promise.
 */
export class Scheduler {
  readonly #pause: () => Promise<void>;
  /** Units by tenant, in virtual time: an idle tenant saves up nothing. */
  readonly #used = new Map<string, number>();
  readonly #waiting = new Set<RequestWork>();
  /** Virtual time of the work that ran last. */
  #now = 0;
  /** Number of passes of the event loop while work waits. */
  #pass = 0;
  /** The work that runs in this pass, once chosen, and if it has run. */
  #chosen: RequestWork | undefined;
  #isGranted = false;
  #slice = 0;
  #tenants = 0;
  /** Amounts by kind of cost since the process began. */
  readonly totals: Float64Array = new Float64Array(Object.keys(unitsOf).length);
  /** Maximum units that one work spent between two yields. Tests reset it. */
  longestStretch = 0;

  constructor({ pause = defaultPause }: SchedulerOptions = {}) {
    this.#pause = pause;
  }

  /** Opens the account of one request, or of one piece of background work. */
  begin({ tenant, signal, onSpend }: WorkOptions = {}): RequestWork {
    return new RequestWork(this, tenant ?? `\0${this.#tenants++}`, signal, onSpend);
  }

  /** Adds to the slice that all share, for {@link RequestWork}. Returns true if it is used up. */
  charge(units: number): boolean {
    this.#slice += units;
    return this.#slice >= sliceUnits;
  }

  /** Resolves when the work may continue, for {@link RequestWork}. */
  async wait(work: RequestWork, units: number): Promise<void> {
    this.#used.set(work.tenant, Math.max(this.#used.get(work.tenant) ?? 0, this.#now) + units);
    this.#waiting.add(work);
    work.lastPass = Math.max(work.lastPass, this.#pass - 1);
    try {
      do await this.#pause();
      while (!work.isAborted && !this.#mayGoOn(work));
    } finally {
      this.#waiting.delete(work);
      if (this.#chosen === work) this.#chosen = undefined;
      if (this.#used.size > tenantsMax) this.#forgetIdle();
    }
  }

  #mayGoOn(work: RequestWork): boolean {
    // Each waiter polls once in a pass: the first that polls again shows that a new pass has begun.
    if (work.lastPass === this.#pass) {
      this.#pass++;
      this.#slice = 0;
      this.#isGranted = false;
      this.#chosen = undefined;
    }
    work.lastPass = this.#pass;
    this.#waiting.add(work);
    if (this.#isGranted || (this.#chosen ??= this.#next()) !== work) return false;
    this.#isGranted = true;
    this.#now = this.#usedBy(work);
    return true;
  }

  /** Removes work that has ended. If it polls again anyway, it waits again. */
  #next(): RequestWork | undefined {
    let next: RequestWork | undefined;
    for (const work of this.#waiting) {
      if (this.#pass - work.lastPass > missedMax) this.#waiting.delete(work);
      else if (next === undefined || this.#goesBefore(work, next)) next = work;
    }
    return next;
  }

  #goesBefore(a: RequestWork, b: RequestWork): boolean {
    const difference = this.#usedBy(a) - this.#usedBy(b);
    return difference < 0 || (difference === 0 && a.units < b.units);
  }

  #usedBy({ tenant }: RequestWork): number {
    return this.#used.get(tenant) ?? 0;
  }

  /** A tenant without waiting work begins at the virtual time when it waits again, give or take a slice. */
  #forgetIdle(): void {
    const waiting = new Set([...this.#waiting].map(({ tenant }) => tenant));
    for (const tenant of this.#used.keys()) if (!waiting.has(tenant)) this.#used.delete(tenant);
  }
}

/** The account of one request, or of one piece of background work. */
export class RequestWork implements Work {
  readonly tenant: string;
  readonly #scheduler: Scheduler;
  readonly #onSpend: WorkOptions['onSpend'];
  #signal: AbortSignal | undefined;
  #stretch = 0;
  /** Total spent units. */
  units = 0;
  /** For the scheduler: the pass of its last poll, or the one before it began to wait if that is later. */
  lastPass = -1;

  constructor(
    scheduler: Scheduler,
    tenant: string,
    signal: AbortSignal | undefined,
    onSpend: WorkOptions['onSpend'] = undefined,
  ) {
    this.#scheduler = scheduler;
    this.#onSpend = onSpend;
    this.tenant = tenant;
    this.#signal = signal;
  }

  /** Fires when the client disconnects; undefined once the work continues without it. */
  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  get isAborted(): boolean {
    return this.#signal?.aborted === true;
  }

  spend(kind: Cost, amount = 1): boolean {
    const units = amount * unitsOf[kind];
    this.#scheduler.totals[kind] = (this.#scheduler.totals[kind] as number) + amount;
    this.units += units;
    this.#stretch += units;
    if (this.#stretch > this.#scheduler.longestStretch) this.#scheduler.longestStretch = this.#stretch;
    this.#onSpend?.(kind, amount);
    return this.#scheduler.charge(units);
  }

  async yield(): Promise<void> {
    const units = this.#stretch;
    this.#stretch = 0;
    await this.#scheduler.wait(this, units);
    this.check();
  }

  /** @throws {WorkAbortedError} if the client disconnected. */
  check(): void {
    if (this.isAborted) throw new WorkAbortedError();
  }

  /** Continues the work without its client from now on, since something is about to be committed. */
  keep(): void {
    this.#signal = undefined;
  }
}

declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Captured at load, so that tests with fake timers need not advance these. */
const later = typeof setImmediate === 'function' ? setImmediate : setTimeout;

/** A promise alone would not let timers and sockets run. */
function defaultPause(): Promise<void> {
  return new Promise((resolve) => void later(resolve));
}
