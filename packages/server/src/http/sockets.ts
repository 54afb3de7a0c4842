/** The whole service as one function. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Certificate and key of the server, in PEM form. */
export interface Tls {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
}

/** The record of one served request for the log. */
export interface ServedRequest {
  readonly method: string;
  /** Without query, user and password. */
  readonly path: string;
  /** Status of the reply; 0 if the client left before the reply existed. */
  readonly status: number;
  readonly headers: Headers | undefined;
  /** Bytes of the request body, and below those of the reply body. */
  readonly received: number;
  readonly sent: number;
  /** Milliseconds from the header of the request to the last byte written to the socket. */
  readonly duration: number;
  /** False if the client disconnected or the body of the reply failed. */
  readonly whole: boolean;
  /** The error that the handler or the body of its reply threw. It may hold secrets, so never send it to a client. */
  readonly failure?: unknown;
}

/** The handler and its hooks, the same on every runtime. */
export interface Answering {
  readonly handler: FetchHandler;
  /** Replaces the `Host` header, which HTTP/1.0 may omit. */
  readonly fallbackHost: string;
  /** Milliseconds that the handler waits for the next bytes of a request body (LIM-020). Default 60,000. */
  readonly bodyIdle?: number | undefined;
  /** Receives the byte count of each chunk of a request body. Default: ignored. */
  readonly received?: ((bytes: number) => void) | undefined;
  /** Adds headers that every reply must have and this one lacks. Default: adds none. */
  readonly complete?: (headers: Headers) => void;
  readonly onServed?: (served: ServedRequest) => void;
}

/** The address to listen on, with the limits of the listener. */
export interface Place {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Default: serves HTTP. With it, serves HTTPS. */
  readonly tls?: Tls | undefined;
  /** Maximum number of connections (LIM-021). Default: from the descriptor limit of the process. */
  readonly connectionsMax?: number | undefined;
  /** Bytes of memory that this process may use (LIM-080). Default: a share of the available memory. */
  readonly memoryMax?: number | undefined;
  /** A folder that this process may read. Without it, Deno reserves no descriptors for files. */
  readonly folder?: string;
}

/** The listening sockets of a runtime and their requests. */
export interface Sockets {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /** Number of running requests. */
  readonly running: () => number;
  /** Stops accepting connections, closes idle ones, and closes each other one after its reply. */
  drain(): void;
  /** Resolves when no request is running. */
  idle(): Promise<void>;
  /**
   * Uses another certificate and key for new connections. Undefined without TLS, and where the runtime cannot.
   *
   * @throws {StartError} kind `tls`. Then the pair before stays in use.
   */
  readonly renew?: ((tls: Tls) => void) | undefined;
  /** Closes every remaining connection. Resolves when the port is free. */
  cut(): Promise<void>;
}

/**
 * Listens and serves.
 *
 * @throws {StartError} kind `address` or `tls`.
 */
export type OpenSockets = (place: Place, answering: Answering) => Promise<Sockets>;

/** Returns the host that a client on this machine connects to. A wildcard address becomes the loopback address. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return bracketed(host);
}

/** Formats a host for a URL: puts an IPv6 address in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
