const pageBits = 10;
const pageSize = 1 << pageBits;

/**
 * A byte for each number below a count, zero at first. Takes memory for the pages that have other values: a small fetch
 * of a large repository must neither allocate nor pass over a table of all objects.
 */
export class SparseBytes {
  readonly #count: number;
  readonly #pages: (Uint8Array | undefined)[];

  constructor(count: number) {
    this.#count = count;
    this.#pages = Array.from({ length: Math.ceil(count / pageSize) });
  }

  get(number: number): number {
    return this.#pages[number >>> pageBits]?.[number & (pageSize - 1)] ?? 0;
  }

  /** Ignores numbers from the count on, as a typed array does. */
  set(number: number, value: number): void {
    if (number < this.#count)
      (this.#pages[number >>> pageBits] ??= new Uint8Array(pageSize))[number & (pageSize - 1)] = value;
  }

  /** Yields the stretches that may have other values than zero, ascending, each with its first number. */
  *stretches(): Generator<readonly [from: number, values: Uint8Array], void, undefined> {
    for (const [i, page] of this.#pages.entries()) if (page !== undefined) yield [i * pageSize, page];
  }
}
