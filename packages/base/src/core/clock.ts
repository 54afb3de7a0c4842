/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The time of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
