/** What is wrong with a seed, with the place of it, such as `repos["notes"].tags["v1"]: there is no branch "x"`. */
export class SeedError extends Error {
  override readonly name = 'SeedError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place}: ${problem}`, options);
  }
}

/** Does a part of a seed, and says in which part it failed. @throws {SeedError} */
export async function seeding<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SeedError) throw error;
    throw new SeedError(place, error instanceof Error ? error.message : 'it could not be made', { cause: error });
  }
}
