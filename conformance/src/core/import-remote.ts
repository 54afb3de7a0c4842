/**
 * Answers a request to an {@link ImportRemote} instead of stock Git.
 *
 * @param stock returns the answer of stock Git.
 */
export type RemoteAnswer = (request: Request, stock: () => Promise<Response>) => Response | Promise<Response>;

/**
 * Repositories that the service can import: it trusts the certificate of their host, and `import_allow` lists the host.
 */
export interface ImportRemote {
  /** The origin, such as `https://localhost:4711`. */
  readonly origin: string;
  /** A folder of bare repositories on this machine: `git http-backend` serves `<folder>/x.git` at `<origin>/x.git`. */
  readonly folder: string;
  /** Sets the answer to later requests for `<origin>/<name>` and below, with and without `.git`. */
  answer(name: string, by: RemoteAnswer): void;
}
