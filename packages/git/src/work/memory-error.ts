/** Settings that limit memory, by their name in messages; `isolate` is the fixed limit on Workers. */
export type MemorySetting = 'memory_max' | 'request_memory_max' | 'isolate';

export interface MemoryRefusal {
  /** Bytes that the request needs in total. */
  readonly needed: number;
  /** Available bytes. */
  readonly limit: number;
  readonly setting: MemorySetting;
  /** True if the request fits when others have ended. Default false: it never fits. */
  readonly isTemporary?: boolean;
}

/** A request needs more memory than available (LIM-059, LIM-080), either ever or at this time. */
export class NotEnoughMemoryError extends Error {
  override readonly name = 'NotEnoughMemoryError';
  readonly refusal: MemoryRefusal;

  constructor(refusal: MemoryRefusal) {
    const { needed, limit, setting, isTemporary = false } = refusal;
    const when = isTemporary ? ' now, try again' : '';
    super(`not enough memory${when}: ${Math.ceil(needed)} bytes, limit ${Math.floor(limit)} (${setting})`);
    this.refusal = refusal;
  }

  /** Seconds after which to try again; undefined if it never fits. */
  get retryAfter(): number | undefined {
    return this.refusal.isTemporary === true ? retrySeconds : undefined;
  }
}

const retrySeconds = 10;
