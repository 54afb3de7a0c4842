import type { Dialect, Hosting, OnEvent, Outbound } from '@packhouse/hosting';
import type { ServerConfig } from '@packhouse/router';
import type { KeptApiToken } from '../data-folder/api-token.ts';
import type { SharedStorageOptions } from '../config/shared-storage.ts';
import type { Bindings } from './open-bindings.ts';
import type { LogEntry } from './request-log.ts';
import type { Tls } from '../http/sockets.ts';

/** Options for opening the service over a data folder, on any runtime. */
export interface HostOptions extends SharedStorageOptions {
  /** Folder of all data, or of this server's cache if there is a database. Made if it is missing. */
  readonly data: string;
  /** Account to serve if the configuration names none. Default `local`. */
  readonly account?: string;
  /** Default: the dialect of the configuration, or else `neutral`. */
  readonly dialect?: Dialect;
  /**
   * URL that clients use, perhaps with a path (REPO-216). Default: the `public_url` of the configuration, or else the
   * address that the server listens on.
   */
  readonly publicUrl?: string;
  readonly config?: ServerConfig;
  /** The API token for reading and editing every served account. Default: the one kept in the data folder. */
  readonly apiToken?: string;
  /** Outgoing requests of imports and webhooks. Default: through the sockets of this machine. */
  readonly outbound?: Outbound;
  /** Receives change events (REPO-190). Default: events go to the setting `webhook_url`, if it is set. */
  readonly onEvent?: OnEvent;
  /**
   * Receives an entry for each request that a server has answered, and for each failure. Default: entries are dropped.
   */
  readonly log?: (entry: LogEntry) => void;
}

/** Options for serving a data folder. */
export interface ServeOptions extends HostOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** 0 selects a free port. Default 8787. */
  readonly port?: number;
  /** Serves HTTPS with this certificate and key. Default: serves HTTP. */
  readonly tls?: Tls;
}

/** A running server. */
export interface Serving {
  /** URL that clients use. */
  readonly url: string;
  /** The first account served. */
  readonly account: string;
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Undefined if the caller passed a token. */
  readonly keptToken: KeptApiToken | undefined;
  /** Returns the number of running requests. */
  readonly running: () => number;
  /**
   * Uses another certificate and key for new connections. Undefined without `tls`, and on Deno and Bun. Throws a
   * `StartError` if the pair cannot be used.
   */
  readonly renewTls?: ((tls: Tls) => void) | undefined;
  /**
   * Stops accepting requests, waits at most `grace` milliseconds for running ones, cuts the rest, and closes the data
   * folder. Default: `shutdown_grace` of the configuration, or else 30,000. A further call can only shorten the wait.
   * Returns how many requests were cut.
   */
  close(grace?: number): Promise<number>;
}

/** A server in this process, with its bindings and service for other code of the process. */
export interface ServingHere extends Serving {
  /** The bindings of the configuration by name, for the first account (BIND-001, BIND-020). */
  readonly env: Bindings;
  /** The service itself, for bindings of other accounts and namespaces. */
  readonly hosting: Hosting;
}

/**
 * Serves a data folder over HTTP or HTTPS. Does not print, read environment variables or handle signals: the caller
 * does that. Rejects with a `StartError`, which has a message and a hint for the operator.
 */
export type Serve = (options: ServeOptions) => Promise<Serving>;

/** {@link Serve} on the runtime of this process. */
export type ServeHere = (options: ServeOptions) => Promise<ServingHere>;
