/**
 * A service in memory with all that it holds. A reset opens another one: who asked this one before is answered by it, and
 * none of that is ever seen in the other.
 */
export interface HeldService<Content> {
  /** Undefined for a path that is not the service's. */
  answer(request: Request): Promise<Response | undefined>;
  /** The same when the rate of whoever asks is used up. `retryAfter` in seconds. */
  limited(request: Request, retryAfter: number): Promise<Response | undefined>;
  /** Puts more beside what is there. @throws {SeedError} for what the service refuses; what came before it stays. */
  put(content: Content): Promise<void>;
  /** Removes repos, named as in seeds. @throws {Error} for one that is not there. */
  remove(repos: readonly string[]): Promise<void>;
}
