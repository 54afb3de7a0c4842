/** Random numbers that are the same for the same seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number of at least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** Returns an integer from 0 to `max`. */
  upTo(max: number): number {
    return Math.floor(this.next() * (max + 1));
  }

  /** Returns an integer from 0 to `max`, with the same probability for every order of magnitude. */
  upToByMagnitude(max: number): number {
    return Math.floor((max + 1) ** this.next()) - (this.next() < 0.5 ? 1 : 0);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.upTo(list.length - 1)] as T;
  }
}
