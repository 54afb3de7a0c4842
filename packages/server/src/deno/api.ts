/** The part of Deno's own functions that is used here. */
export interface DenoServing {
  serve(
    options: {
      readonly hostname: string;
      readonly port: number;
      readonly cert?: string;
      readonly key?: string;
      readonly signal: AbortSignal;
      readonly onListen: () => void;
      readonly onError: (error: unknown) => Response;
    },
    handler: (request: Request, info: { readonly completed: Promise<void> }) => Promise<Response>,
  ): {
    readonly addr: { readonly port: number };
    readonly finished: Promise<void>;
    /** Takes no new connections, sends what is left of replies, and cuts the bodies of requests. */
    shutdown(): Promise<void>;
    /** Lets the process end although it is open. */
    unref(): void;
  };
}
