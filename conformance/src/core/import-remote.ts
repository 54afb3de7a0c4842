/**
 * Answers a request to an {@link ImportRemote} in the place of stock Git.
 *
 * @param stock What stock Git answers.
 */
export type RemoteAnswer = (request: Request, stock: () => Promise<Response>) => Response | Promise<Response>;

/** Repositories that the service can import: it trusts their host, and `import_allow` has that. */
export interface ImportRemote {
  /** Such as `https://localhost:4711`. */
  readonly origin: string;
  /** Of bare repositories on this machine: `git http-backend` serves `<folder>/x.git` at `<origin>/x.git`. */
  readonly folder: string;
  /** From now on answers requests to `<origin>/<name>` and below, with and without `.git`. */
  answer(name: string, by: RemoteAnswer): void;
}
