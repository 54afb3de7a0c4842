/** The whole service behind one function. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Certificate and key of the server, in PEM form. */
export interface Tls {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
}

/** One served request, for the log. */
export interface ServedRequest {
  readonly method: string;
  /** Without query, user and password. */
  readonly path: string;
  /** Of the reply; 0 if the client left before there was one. */
  readonly status: number;
  readonly headers: Headers | undefined;
  /** Body bytes in and out. */
  readonly received: number;
  readonly sent: number;
  /** Milliseconds from the request's header to the last byte handed to the socket. */
  readonly duration: number;
  /** False if the client went away or the reply broke off. */
  readonly whole: boolean;
  /** What the handler or the body of its reply threw. For a log that may hold it, never for a client. */
  readonly failure?: unknown;
}

/** What is done with requests, the same on every runtime. */
export interface Answering {
  readonly handler: FetchHandler;
  /** Stands in for the `Host` header, which HTTP/1.0 may leave out. */
  readonly fallbackHost: string;
  /** Milliseconds that a request body may be silent while the handler waits for it (LIM-020). Default 60,000. */
  readonly bodyIdle?: number | undefined;
  /** Takes the bytes of each chunk of a request body. Default: nothing. */
  readonly received?: ((bytes: number) => void) | undefined;
  /** Adds what every reply must have, if this one lacks it. Default: nothing. */
  readonly complete?: (headers: Headers) => void;
  readonly onServed?: (served: ServedRequest) => void;
}

/** Where to listen. */
export interface Place {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Serves HTTPS. */
  readonly tls?: Tls | undefined;
  /** Most connections (LIM-021). Default: by the descriptors of the process. */
  readonly connectionsMax?: number | undefined;
  /** Bytes that this process may take (LIM-080). Default: a share of what there is. */
  readonly memoryMax?: number | undefined;
  /** A folder that this process may read. Default: none, and Deno keeps no descriptors for files. */
  readonly folder?: string;
}

/** Listening sockets and the requests that came through them: all that a runtime brings. */
export interface Sockets {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /** Requests in hand. */
  readonly running: () => number;
  /** Takes no new connections; closes those without a request, and each other one after its reply. */
  drain(): void;
  /** Resolves when no request is in hand. */
  idle(): Promise<void>;
  /** Cuts every connection that is left; resolves when the port is given up. */
  cut(): Promise<void>;
}

/**
 * Listens and serves.
 *
 * @throws {StartError} kind `address` or `tls`.
 */
export type OpenSockets = (place: Place, answering: Answering) => Promise<Sockets>;

/** How a client on this machine writes the host: nobody can connect to "every address". */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return bracketed(host);
}

/** A host as it stands in a URL. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
