/** The part of Bun's own functions that is used here. */
export interface BunServing {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly tls?: { readonly cert: string; readonly key: string };
    readonly development: false;
    readonly reusePort: false;
    readonly idleTimeout: number;
    readonly maxRequestBodySize: number;
    readonly fetch: (request: Request, server: BunServer) => Promise<Response>;
    readonly error: (error: unknown) => Response;
  }): BunServer;
}

export interface BunServer {
  readonly port: number;
  /** Requests whose reply has not wholly gone to the socket. */
  readonly pendingRequests: number;
  /** How many seconds the connection of a request may be silent; 0 for ever. */
  timeout(request: Request, seconds: number): void;
  /** Closes connections that have had a request and wait for the next one. Releases before 1.4 may lack it. */
  closeIdleConnections?(): void;
  /** Takes no new connections; with `cut`, closes all there are, else those that are idle. */
  stop(cut?: boolean): Promise<void>;
}
