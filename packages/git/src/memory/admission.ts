import { WorkAbortedError } from '../work/scheduler.ts';
import { NotEnoughMemoryError, type MemorySetting } from '../work/memory-error.ts';
import { WaitingLine, type Waiter } from './waiting-line.ts';

/** Milliseconds between two looks whether a request fits by now, and how often one looks: 30 seconds in all. */
const pollInterval = 50;
const pollsMax = 600;
/** Maximum number of waiting requests; each holds a connection and some kilobytes. */
const waitersMax = 1000;

/** Memory that requests share, and that can be released when no request uses it. */
export interface SharedMemory {
  readonly bytes: number;
  /** Releases the memory. */
  drop(): void;
}

export interface AdmissionOptions {
  /** Maximum memory in bytes of all requests of the process or isolate together. */
  readonly limit: number;
  /** Name of the setting for messages. Default `memory_max`. */
  readonly setting?: MemorySetting | undefined;
  /**
   * Bytes of the limit that only small requests may use, of up to a quarter of it each, so that they go on beside large
   * ones. With a reserve, one tenant may hold no more than half of the rest, unless by one request, and the room of the
   * shared memory is kept free for small requests too. Default: no reserve.
   */
  readonly reserve?: number | undefined;
  /** Resolves after this number of milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly shared: SharedMemory;
  /** Unused buffers, which may stay while there is memory for them. Default: no buffers. */
  readonly idle?: IdleMemory;
}

/** Memory that is kept for the next request. */
export interface IdleMemory {
  readonly idleBytes: number;
  /** Frees all memory except `bytes`. */
  trim(bytes: number): void;
}

/** A request that asks for memory. */
export interface Applicant {
  /** Requests with the same text share one part of the memory. Default: a separate part. */
  readonly tenant?: string | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The memory that requests may take at the same time (LIM-059, LIM-080; `docs/design/workers.md`, "Memory of one large
 * push"). Each takes its bytes before it reads its body. One that does not fit waits in line, and looks again from time
 * to time: on Workers a request cannot wait for another's promise.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #line = new WaitingLine();
  readonly #reserve: number;
  /** Number of bytes taken in total, and how many of them small requests took from the reserve. */
  #reserved = 0;
  #reserveUsed = 0;
  #most = 0;
  #opened = 0;
  /** Bytes by tenant, without those from the reserve. */
  readonly #held = new Map<string, number>();
  /** Number of requests that hold the shared memory. It stays counted after the last one, until its space is needed. */
  #sharers = 0;
  #isSharedCounted = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#reserve = options.reserve ?? 0;
  }

  /** Bytes reserved now. */
  get reserved(): number {
    return this.#reserved;
  }

  /** Total number of requests for a reservation. */
  get opened(): number {
    return this.#opened;
  }

  /** Maximum number of bytes that were ever reserved at the same time. */
  get reservedMost(): number {
    return this.#most;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Maximum number of bytes that one request can ever get, without the shared memory. */
  get requestMost(): number {
    const { limit, shared } = this.#options;
    return limit - this.#reserve - shared.bytes;
  }

  /**
   * Takes `bytes`, and with `shares` also holds the shared memory.
   *
   * @throws {NotEnoughMemoryError}
   * @throws {WorkAbortedError} if the client left while the request waited.
   */
  async reserve(bytes: number, shares: boolean, applicant: Applicant = {}): Promise<Reservation> {
    const share = new Share(this, shares, this.#opened++, applicant);
    await this.take(share, bytes);
    return new Reservation(this, share);
  }

  /**
   * Reserves `bytes` if there is enough memory and no earlier request waits.
   *
   * @throws {NotEnoughMemoryError}
   */
  reserveAtOnce(bytes: number, applicant: Applicant = {}): Reservation {
    const share = new Share(this, false, this.#opened++, applicant);
    if (!this.tryTakeInTurn(share, bytes)) throw this.refusal(share, bytes);
    return new Reservation(this, share);
  }

  /** Used by {@link Reservation}. */
  async take(share: Share, bytes: number): Promise<void> {
    const error = this.refusal(share, bytes);
    if (error.retryAfter === undefined) throw error;
    if (this.tryTakeInTurn(share, bytes)) return;
    if (this.#line.size >= waitersMax) throw error;
    const waiter: Waiter = {
      tenant: share.tenant,
      ticket: share.ticket,
      missed: 0,
      isBlocked: () => this.#isOverPart(share, bytes),
    };
    const leave = (): void => this.#line.leave(waiter);
    this.#line.join(waiter);
    share.signal?.addEventListener('abort', leave, { once: true });
    try {
      for (let poll = 0; ; poll++) {
        if (share.signal?.aborted === true) throw new WorkAbortedError();
        const mayTake = this.#line.isNext(waiter) ? !waiter.isBlocked() : this.#fitsReserve(share, bytes);
        if (mayTake && this.tryTake(share, bytes)) return this.#line.leave(waiter, true);
        if (poll === pollsMax) throw error;
        await this.#options.wait(pollInterval);
      }
    } finally {
      leave();
      share.signal?.removeEventListener('abort', leave);
    }
  }

  /** Takes `bytes`, unless a waiting request comes first. */
  tryTakeInTurn(share: Share, bytes: number): boolean {
    const small = this.#fitsReserve(share, bytes);
    if (!small && (this.#line.size > 0 || this.#isOverPart(share, bytes))) return false;
    return this.tryTake(share, bytes);
  }

  /** Takes `bytes` at once or not at all, before those that wait: the end of what runs is what they wait for. */
  tryTake(share: Share, bytes: number): boolean {
    const { limit, shared, idle } = this.#options;
    const startsSharing = share.shares && !share.isSharing;
    const more = startsSharing && !this.#isSharedCounted ? shared.bytes : 0;
    const small = this.#fitsReserve(share, bytes);
    // A request that is no longer small returns the bytes that it took from the reserve.
    const moved = small || !share.usesReserve ? 0 : share.bytes;
    // With a reserve, the room of the shared memory is for small requests alone: to drop it would not help.
    const mayDrop = !small && !startsSharing && this.#reserve === 0;
    if (mayDrop && this.#room(more) < bytes + moved) this.#dropShared();
    if (!small && this.#room(more) < bytes + moved) return false;
    if (startsSharing) {
      share.isSharing = true;
      this.#sharers++;
      this.#isSharedCounted = true;
    }
    share.usesReserve = small;
    share.bytes += bytes;
    this.#reserved += bytes + more;
    if (small) this.#reserveUsed += bytes;
    else {
      this.#reserveUsed -= moved;
      this.#hold(share, bytes + moved);
    }
    this.#most = Math.max(this.#most, this.#reserved);
    idle?.trim(limit - this.#reserved);
    return true;
  }

  /** The reason for refusing a request that asks for `bytes` more. */
  refusal(share: Share, bytes: number): NotEnoughMemoryError {
    const { shared, setting = 'memory_max' } = this.#options;
    const limit = this.requestMost + (share.shares || this.#reserve > 0 ? 0 : shared.bytes);
    const needed = share.bytes + bytes;
    return new NotEnoughMemoryError({ needed, limit, setting, isTemporary: needed <= limit });
  }

  /** Frees the shared memory and idle buffers, unless a request holds memory. Returns whether no request does. */
  trim(): boolean {
    this.#dropShared();
    if (this.#reserved > 0) return false;
    this.#options.idle?.trim(0);
    return true;
  }

  /** Returns the memory of a share, except `kept` bytes; with 0 also its part in the shared memory. */
  giveBack(share: Share, kept: number): void {
    const bytes = Math.max(0, share.bytes - kept);
    this.#reserved -= bytes;
    share.bytes -= bytes;
    if (share.usesReserve) this.#reserveUsed -= bytes;
    else this.#hold(share, -bytes);
    if (kept === 0) this.stopSharing(share);
  }

  /** Releases only its part of the shared memory. */
  stopSharing(share: Share): void {
    if (!share.isSharing) return;
    share.isSharing = false;
    this.#sharers--;
  }

  /** Number of bytes for requests that are not small, if the shared memory takes `more`. */
  #room(more: number): number {
    const { limit, shared } = this.#options;
    const kept = this.#reserve > 0 && !this.#isSharedCounted ? shared.bytes : more;
    return limit - kept - this.#reserve - (this.#reserved - this.#reserveUsed);
  }

  #fitsReserve(share: Share, bytes: number): boolean {
    if (this.#reserve === 0 || (share.bytes > 0 && !share.usesReserve)) return false;
    return share.bytes + bytes <= this.#reserve / 4 && this.#reserveUsed + bytes <= this.#reserve;
  }

  /** Tests if a tenant would exceed its part. A single request may exceed it. */
  #isOverPart(share: Share, bytes: number): boolean {
    const others = (this.#held.get(share.tenant) ?? 0) - (share.usesReserve ? 0 : share.bytes);
    return this.#reserve > 0 && others > 0 && others + share.bytes + bytes > this.requestMost / 2;
  }

  #hold({ tenant }: Share, bytes: number): void {
    const held = (this.#held.get(tenant) ?? 0) + bytes;
    if (held > 0) this.#held.set(tenant, held);
    else this.#held.delete(tenant);
  }

  #dropShared(): void {
    if (!this.#isSharedCounted || this.#sharers > 0) return;
    this.#options.shared.drop();
    this.#isSharedCounted = false;
    this.#reserved -= this.#options.shared.bytes;
  }
}

/** Memory of one request. */
class Share {
  readonly admission: Admission;
  readonly shares: boolean;
  readonly ticket: number;
  readonly tenant: string;
  readonly signal: AbortSignal | undefined;
  isSharing = false;
  /** True if its bytes are from the reserve; all of them or none are. */
  usesReserve = false;
  bytes = 0;

  constructor(admission: Admission, shares: boolean, ticket: number, { tenant, signal }: Applicant) {
    this.admission = admission;
    this.shares = shares;
    this.ticket = ticket;
    this.tenant = tenant ?? `\0${ticket}`;
    this.signal = signal;
  }
}

/** A runtime may end a request without a last word: what it held is given back when the collector finds it. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Share>((share) => share.admission.giveBack(share, 0));

/** Memory that one request may use, until it is released. */
export class Reservation {
  readonly #admission: Admission;
  readonly #share: Share;

  constructor(admission: Admission, share: Share) {
    this.#admission = admission;
    this.#share = share;
    forgotten?.register(this, share, this);
  }

  get bytes(): number {
    return this.#share.bytes;
  }

  /** Maximum number of bytes that it can ever have. */
  get most(): number {
    return this.#admission.requestMost;
  }

  /**
   * Takes `bytes` in all. Who has to wait for that holds nothing but `kept` bytes meanwhile, so that requests that grow do
   * not wait for each other. Default: nothing.
   *
   * @throws {NotEnoughMemoryError}
   */
  async resize(bytes: number, kept = 0): Promise<void> {
    const more = bytes - this.#share.bytes;
    if (more <= 0) return this.#admission.giveBack(this.#share, bytes);
    if (this.#admission.tryTakeInTurn(this.#share, more)) return;
    this.#admission.giveBack(this.#share, kept);
    await this.#admission.take(this.#share, bytes - this.#share.bytes);
  }

  /** Takes more bytes, if there is space now. */
  tryGrow(bytes: number): boolean {
    return this.#admission.tryTake(this.#share, bytes);
  }

  /** Does the same, but not before a request that waits. */
  tryGrowInTurn(bytes: number): boolean {
    return this.#admission.tryTakeInTurn(this.#share, bytes);
  }

  /**
   * Takes more bytes, if there is space now.
   *
   * @throws {NotEnoughMemoryError}
   */
  grow(bytes: number): void {
    if (!this.tryGrow(bytes)) throw this.#admission.refusal(this.#share, bytes);
  }

  /** Releases some bytes. */
  shrink(bytes: number): void {
    this.#admission.giveBack(this.#share, Math.max(1, this.#share.bytes - bytes));
  }

  /** Releases its part of the shared memory, until it takes more bytes. */
  stopSharing(): void {
    this.#admission.stopSharing(this.#share);
  }

  /** Releases everything. Idempotent. */
  release(): void {
    forgotten?.unregister(this);
    this.#admission.giveBack(this.#share, 0);
  }
}
