import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { Reservation } from './admission.ts';
import { usualReading } from './reading-memory.ts';

export interface RequestBounds {
  /** Bytes that what is kept of the body and the plan may take together (LIM-059). Default: no bound. */
  readonly most?: number;
  /**
   * Bytes of what is planned that do not count for that: buffers that every request has, and tables of the repository.
   * Default 0.
   */
  readonly common?: number;
}

/**
 * The memory of one request (LIM-059), in parts: what is planned for it, what its body comes to, and what the largest
 * object takes that it reads.
 */
export class RequestAccount {
  readonly #reservation: Reservation;
  #beside = 0;
  readonly #most: number;
  readonly #common: number;
  #planned: number;
  #body = 0;
  /** Memory of its lines without a plan. */
  #lines = 0;
  #reading = 0;
  #kept = 0;

  /** Takes over an existing reservation. */
  constructor(reservation: Reservation, { most = Infinity, common = 0 }: RequestBounds = {}) {
    this.#reservation = reservation;
    this.#most = most;
    this.#common = common;
    this.#planned = reservation.bytes;
  }

  /** Number of bytes taken in total. */
  get bytes(): number {
    return this.#reservation.bytes;
  }

  /** Maximum number of bytes that may be planned in total, besides the other parts. */
  get planMost(): number {
    return this.#reservation.most - (this.#total - this.#planned);
  }

  /**
   * Plans `bytes` in total, besides the other parts; may wait. `beside` is held from now on for any later plans;
   * default: as before.
   *
   * @throws {NotEnoughMemoryError}
   */
  async resize(bytes: number, beside: number = this.#beside): Promise<void> {
    this.#check(bytes, this.#lines);
    this.#planned = bytes;
    this.#beside = beside;
    await this.#fill();
  }

  /**
   * Plans `bytes` more; may have to wait.
   *
   * @throws {NotEnoughMemoryError}
   */
  planMore(bytes: number): Promise<void> {
    return this.resize(this.#planned + bytes);
  }

  /**
   * Accounts for `bytes` more of buffered request lines. Fails instead of waiting when memory is short: a client that
   * is still uploading must not block while it holds memory.
   *
   * @throws {NotEnoughMemoryError}
   */
  keepLines(bytes: number): void {
    this.#lines += bytes;
    this.#check(this.#planned, this.#lines);
    const body = Math.max(0, this.#lines - this.#planned);
    if (body > this.#body) this.holdBody(body);
  }

  /**
   * The body takes `bytes` now, more or less than before.
   *
   * @throws {NotEnoughMemoryError}
   */
  holdBody(bytes: number): void {
    const more = bytes - this.#body;
    if (more > 0) this.#reservation.grow(more);
    if (more < 0) this.#reservation.shrink(-more);
    this.#body = bytes;
  }

  /**
   * Reserves for reading objects that take up to `bytes` each; may have to wait.
   *
   * @throws {NotEnoughMemoryError}
   */
  async expectReading(bytes: number): Promise<void> {
    if (bytes - usualReading <= this.#reading) return;
    this.#reading = bytes - usualReading;
    await this.#fill();
  }

  /**
   * An object is read now that takes so many bytes: refused where there is no room at once.
   *
   * @throws {NotEnoughMemoryError}
   */
  reading(bytes: number): void {
    const more = bytes - usualReading - this.#reading;
    if (more <= 0) return;
    this.#reservation.grow(more);
    this.#reading += more;
  }

  /** Reserves `bytes` more, for any later plans, if there is enough memory now. */
  tryKeep(bytes: number): boolean {
    return this.keep(bytes) === undefined;
  }

  /** Does the same as {@link RequestAccount.tryKeep}, but answers the reason where there is no room. */
  keep(bytes: number): NotEnoughMemoryError | undefined {
    try {
      this.grow(bytes);
      this.#kept += bytes;
      return undefined;
    } catch (error) {
      if (error instanceof NotEnoughMemoryError) return error;
      throw error;
    }
  }

  /**
   * Takes more bytes, if there is space now.
   *
   * @throws {NotEnoughMemoryError}
   */
  grow(bytes: number): void {
    this.#reservation.grow(bytes);
  }

  /** Takes more bytes, if there is space now and no request waits for it. Returns false otherwise. */
  growInTurn(bytes: number): boolean {
    return this.#reservation.tryGrowInTurn(bytes);
  }

  /** Releases some bytes. */
  shrink(bytes: number): void {
    this.#reservation.shrink(bytes);
  }

  /** Keeps no more than `bytes`, and no pages: for what is still to be sent when everything has been read. */
  keepForReply(bytes: number): void {
    if (this.bytes > bytes) this.#reservation.shrink(this.bytes - bytes);
    this.#reservation.stopSharing();
  }

  /** Releases everything. Idempotent. */
  release(): void {
    this.#reservation.release();
  }

  get #total(): number {
    return this.#kept + this.#beside + this.#planned + this.#body + this.#reading;
  }

  /** While it waits, it still holds the lines of its body. */
  #fill(): Promise<void> {
    return this.#reservation.resize(this.#total, this.#kept + (this.#lines > 0 ? this.#body : 0));
  }

  #check(planned: number, lines: number): void {
    const needed = Math.max(0, planned - this.#common) + lines;
    if (needed <= this.#most) return;
    throw new NotEnoughMemoryError({ needed, limit: this.#most, setting: 'request_memory_max' });
  }
}
