/** Milliseconds between two looks whether a request fits by now, and how often one looks: 30 seconds in all. */
const pollInterval = 50;
const pollsMax = 600;

/** There is no room for what a request needs (LIM-059): at all, or within 30 seconds. */
export class NotEnoughMemoryError extends Error {
  override readonly name = 'NotEnoughMemoryError';

  constructor() {
    super('not enough memory');
  }
}

/** What requests hold together, and may be let go when none does. */
export interface SharedMemory {
  readonly bytes: number;
  /** Lets go of it. */
  drop(): void;
}

export interface AdmissionOptions {
  /** Bytes that all requests of the process or isolate may hold together. */
  readonly limit: number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly shared: SharedMemory;
  /** Buffers that no request uses, which may stay where there is room for them. Default: there are none. */
  readonly idle?: IdleMemory;
}

/** Memory that is kept for the next request. */
export interface IdleMemory {
  readonly idleBytes: number;
  /** Lets go of all but `bytes`. */
  trim(bytes: number): void;
}

/**
 * The memory that requests may take at the same time (`docs/design/workers.md`, "Memory of one large push"). Each takes
 * its bytes before it reads its body. One that does not fit looks again from time to time: on Workers a request cannot
 * wait for another's promise.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  #reserved = 0;
  #most = 0;
  /** Requests that hold the shared memory; it stays counted after the last one, until its room is needed. */
  #sharers = 0;
  #isSharedCounted = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Bytes reserved now. */
  get reserved(): number {
    return this.#reserved;
  }

  /** Most bytes that were ever reserved at the same time. */
  get reservedMost(): number {
    return this.#most;
  }

  /**
   * Takes `bytes`, and with `shares` also holds the shared memory.
   *
   * @throws {NotEnoughMemoryError}
   */
  async reserve(bytes: number, shares: boolean): Promise<Reservation> {
    const share = new Share(this, shares);
    await this.take(share, bytes);
    return new Reservation(this, share);
  }

  /** For {@link Reservation}. */
  async take(share: Share, bytes: number): Promise<void> {
    const { limit, shared, wait } = this.#options;
    if (share.bytes + bytes + (share.shares ? shared.bytes : 0) > limit) throw new NotEnoughMemoryError();
    for (let poll = 0; !this.tryTake(share, bytes); poll++) {
      if (poll === pollsMax) throw new NotEnoughMemoryError();
      await wait(pollInterval);
    }
  }

  /** The same at once or not at all. */
  tryTake(share: Share, bytes: number): boolean {
    const { limit, shared } = this.#options;
    const startsSharing = share.shares && !share.isSharing;
    const needed = bytes + (startsSharing && !this.#isSharedCounted ? shared.bytes : 0);
    if (this.#reserved + needed > limit && this.#isSharedCounted && this.#sharers === 0 && !startsSharing) {
      shared.drop();
      this.#isSharedCounted = false;
      this.#reserved -= shared.bytes;
    }
    if (this.#reserved + needed > limit) return false;
    if (startsSharing) {
      share.isSharing = true;
      this.#sharers++;
      this.#isSharedCounted = true;
    }
    share.bytes += bytes;
    this.#reserved += needed;
    this.#most = Math.max(this.#most, this.#reserved);
    this.#options.idle?.trim(limit - this.#reserved);
    return true;
  }

  /** Gives back what a share has, but for `kept` bytes; with 0 also its part in the shared memory. */
  giveBack(share: Share, kept: number): void {
    this.#reserved -= Math.max(0, share.bytes - kept);
    share.bytes = Math.min(share.bytes, kept);
    if (kept === 0) this.stopSharing(share);
  }

  /** Gives back its part in the shared memory alone. */
  stopSharing(share: Share): void {
    if (!share.isSharing) return;
    share.isSharing = false;
    this.#sharers--;
  }
}

/** What one request has taken. */
class Share {
  readonly admission: Admission;
  readonly shares: boolean;
  isSharing = false;
  bytes = 0;

  constructor(admission: Admission, shares: boolean) {
    this.admission = admission;
    this.shares = shares;
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

  /**
   * Takes `bytes` in all. Who has to wait for that holds nothing but `kept` bytes meanwhile, so that requests that grow do
   * not wait for each other. Default: nothing.
   *
   * @throws {NotEnoughMemoryError}
   */
  async resize(bytes: number, kept = 0): Promise<void> {
    const more = bytes - this.#share.bytes;
    if (more <= 0) return this.#admission.giveBack(this.#share, bytes);
    if (this.#admission.tryTake(this.#share, more)) return;
    this.#admission.giveBack(this.#share, kept);
    await this.#admission.take(this.#share, bytes - this.#share.bytes);
  }

  /** Takes some more, if there is room at once. */
  tryGrow(bytes: number): boolean {
    return this.#admission.tryTake(this.#share, bytes);
  }

  /** Gives some back. */
  shrink(bytes: number): void {
    this.#admission.giveBack(this.#share, Math.max(1, this.#share.bytes - bytes));
  }

  /** Gives back its part in the shared memory, until it takes some more. */
  stopSharing(): void {
    this.#admission.stopSharing(this.#share);
  }

  /** Gives everything back. Idempotent. */
  release(): void {
    forgotten?.unregister(this);
    this.#admission.giveBack(this.#share, 0);
  }
}
