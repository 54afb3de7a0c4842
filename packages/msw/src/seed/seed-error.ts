/**
 * The error for a wrong seed. Its message begins with the place: `repos["notes"].tags["v1"]: there is no branch "x"`.
 */
export class SeedError extends Error {
  override readonly name = 'SeedError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place}: ${problem}`, options);
  }
}

/**
 * Runs the work for a part of a seed, and adds the place of that part to a failure.
 *
 * @throws {SeedError}
 */
export async function seeding<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SeedError) throw error;
    throw new SeedError(place, error instanceof Error ? error.message : 'it could not be made', { cause: error });
  }
}
