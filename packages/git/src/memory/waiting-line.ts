/** One request that waits for memory. */
export interface Waiter {
  readonly tenant: string;
  /** Requests began in this order. */
  readonly ticket: number;
  /** Looks of others since it looked itself. */
  missed: number;
  /** True if it cannot continue now even if there is space. Others then pass it. */
  readonly isBlocked: () => boolean;
}

/** A waiter that others have passed so often has died with its request: on Workers no code of it runs then. */
const missedMax = 8;

/**
 * Requests that wait for memory, in the order in which they get it: the tenants take turns, and the requests of a tenant
 * go in the order in which they began. So neither small requests nor many tenants starve a large one.
 */
export class WaitingLine {
  /** By tenant; the first tenant is next. */
  readonly #lines = new Map<string, Waiter[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  join(waiter: Waiter): void {
    const line = this.#lines.get(waiter.tenant) ?? [];
    this.#lines.set(waiter.tenant, line);
    const after = line.findIndex(({ ticket }) => ticket > waiter.ticket);
    line.splice(after === -1 ? line.length : after, 0, waiter);
    this.#size++;
  }

  /** Idempotent. `isServed`: its tenant goes to the end of the turns. */
  leave(waiter: Waiter, isServed = false): void {
    const line = this.#lines.get(waiter.tenant);
    const at = line?.indexOf(waiter) ?? -1;
    if (line === undefined || at === -1) return;
    line.splice(at, 1);
    this.#size--;
    if (line.length === 0 || isServed) this.#lines.delete(waiter.tenant);
    if (line.length > 0 && isServed) this.#lines.set(waiter.tenant, line);
  }

  /** Tests if it is this waiter's turn. */
  isNext(waiter: Waiter): boolean {
    waiter.missed = 0;
    for (const line of this.#lines.values()) {
      for (let first = line[0]; first !== undefined; first = line[0]) {
        if (first === waiter) return true;
        // In one round each of the others checks once.
        if (++first.missed > missedMax * this.#size) this.leave(first);
        else if (first.isBlocked()) break;
        else return false;
      }
    }
    return false;
  }
}
