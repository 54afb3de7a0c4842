/**
 * A service in memory with its content. A reset opens another one. Requests that began before the reset finish on the
 * old one, and have no effect on the new one.
 */
export interface HeldService<Content> {
  /** Resolves to undefined for a path outside the service. */
  answer(request: Request): Promise<Response | undefined>;
  /** Answers as if the client had used up its rate. `retryAfter` in seconds. */
  limited(request: Request, retryAfter: number): Promise<Response | undefined>;
  /**
   * Adds content.
   *
   * @throws {SeedError} for content that the service refuses; the content before it stays.
   */
  put(content: Content): Promise<void>;
  /**
   * Removes repos, named as in seeds.
   *
   * @throws {Error} for a missing repo.
   */
  remove(repos: readonly string[]): Promise<void>;
}
