import type { Dialect, Hosting, OnEvent, Outbound } from '@packhouse/hosting';
import type { ServerConfig } from '@packhouse/router';
import type { KeptApiToken } from '../data-folder/api-token.ts';
import type { Bindings } from './open-bindings.ts';
import type { LogEntry } from './request-log.ts';
import type { Tls } from '../http/sockets.ts';

/** How to open the service over a data folder, on whatever runtime. */
export interface HostOptions {
  /** Folder of everything that is kept; made if it is missing. */
  readonly data: string;
  /** Account that is served if the configuration names none. Default `local`. */
  readonly account?: string;
  /** Default: that of the configuration, else `neutral`. */
  readonly dialect?: Dialect;
  /** URL that clients reach the service at, perhaps with a path (REPO-216). Default: that of the configuration, else where it listens. */
  readonly publicUrl?: string;
  readonly config?: ServerConfig;
  /** The API token for reading and editing every account served. Default: the one kept in the data folder. */
  readonly apiToken?: string;
  /** How imports reach others. Default: over the sockets of this machine. */
  readonly outbound?: Outbound;
  /** Told of changes (REPO-190). Default: the sink of the setting `webhook_url`, if there is one. */
  readonly onEvent?: OnEvent;
  /** Takes one entry for each request that a server has answered, and for each failure. Default: nobody listens. */
  readonly log?: (entry: LogEntry) => void;
}

/** How to serve a data folder. */
export interface ServeOptions extends HostOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** 0 picks a free one. Default 8787. */
  readonly port?: number;
  /** Serves HTTPS. */
  readonly tls?: Tls;
}

/** A server that serves. */
export interface Serving {
  /** URL that clients reach it at. */
  readonly url: string;
  /** The first account served. */
  readonly account: string;
  /** Absolute. */
  readonly data: string;
  /** Absent if a token was passed in. */
  readonly keptToken: KeptApiToken | undefined;
  /** Requests in hand. */
  readonly running: () => number;
  /**
   * Stops accepting, lets running requests end for at most `grace` milliseconds (default: `shutdown_grace` of the
   * configuration, else 30,000), cuts the others, and closes what is kept. A further call may only shorten the wait.
   * Answers how many requests were cut.
   */
  close(grace?: number): Promise<number>;
}

/** A server in this process, which code beside it may use. */
export interface ServingHere extends Serving {
  /** The bindings of the configuration by their names, for the first account (BIND-001, BIND-020). */
  readonly env: Bindings;
  /** The service itself, for bindings of other accounts and namespaces. */
  readonly hosting: Hosting;
}

/**
 * Serves a data folder over HTTP or HTTPS. Prints nothing, reads no environment and takes no signals: that is the
 * caller's part. Rejects with a `StartError`: a sentence and a hint for people.
 */
export type Serve = (options: ServeOptions) => Promise<Serving>;

/** The same on the runtime of this process. */
export type ServeHere = (options: ServeOptions) => Promise<ServingHere>;
