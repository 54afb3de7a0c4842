import { setTimeout as wait } from 'node:timers/promises';
import { addressError } from '../http/address-error.ts';
import { plainReply } from '../http/plain-reply.ts';
import { connectionsDefault } from '../process/descriptors.ts';
import { reachable, type OpenSockets } from '../http/sockets.ts';
import { withTls } from '../http/tls.ts';
import { boundBodies } from '../http/bound-bodies.ts';
import { bodiesMemory, defaultMemoryMax } from '../process/memory-limit.ts';
import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { createAnswers } from '../web/answers.ts';
import { watchDescriptors } from './bun-descriptors.ts';

/** The part of Bun's API that this file uses. */
interface BunServing {
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

interface BunServer {
  readonly port: number;
  /** Number of requests whose reply has not been written to the socket completely. */
  readonly pendingRequests: number;
  /** Sets how many seconds the connection of a request may be silent; 0 removes the limit. */
  timeout(request: Request, seconds: number): void;
  /** Closes connections that have served a request and are idle now. Releases before 1.4 may lack it. */
  closeIdleConnections?(): void;
  /** Stops accepting connections. Closes all connections with `cut`, and otherwise the idle ones. */
  stop(cut?: boolean): Promise<void>;
}

/** Seconds that a connection may be silent while it serves no request. */
const idleTimeout = 65;

/** Bytes. Bun sends a streamed reply without its length (its issue 10507), so shorter replies are gathered. */
const gathered = 1024 * 1024;

/** Milliseconds between two checks whether replies have been sent. Bun has no event for it. */
const lookAgain = 10;

/** Bytes that Bun buffers of a body that the handler reads slowly or not at all, as measured. */
const bufferedBody = 1.5 * 1024 * 1024;

/** Opens the sockets of `Bun.serve`. */
export const openBunSockets: OpenSockets = async (place, answering) => {
  const { host, port, tls, connectionsMax, memoryMax = defaultMemoryMax() } = place;
  const { Bun } = globalThis as unknown as { readonly Bun: BunServing };
  const answers = createAnswers(boundBodies(answering, bodiesMemory(memoryMax), bufferedBody));
  const options = {
    hostname: host,
    // In its development mode, Bun prints failures of replies with the source lines around them.
    development: false,
    // Outside its development mode, Bun would share a port in use with another process, and the requests with it.
    reusePort: false,
    idleTimeout,
    // The service enforces its own limits.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    error: plainReply,
    ...(tls === undefined ? {} : { tls: withTls(tls, (pair) => pair) }),
    fetch(request: Request, serving: BunServer): Promise<Response> {
      // Bun must not limit a push: the service itself limits silence (LIM-020), and its work may take long.
      serving.timeout(request, 0);
      const ending = (): void => serving.timeout(request, idleTimeout);
      // Bun closes such a connection with its reply, even if the client still sends.
      const takesRest = /\bclose\b/i.test(request.headers.get('connection') ?? '');
      return answers.answer(request, { left: request.signal, ending, gathered, takesRest });
    },
  } as const;
  const listen = (at: number): BunServer => {
    try {
      return Bun.serve({ ...options, port: at });
    } catch (error) {
      throw addressError(error, { host, port: at });
    }
  };
  const first = listen(port);
  // A stopped server does not report its port.
  const usedPort = first.port;
  /** The listening server, if any. `servers` also has those that still have connections. */
  let listening: BunServer | undefined = first;
  const servers = new Set([first]);
  const stopListening = (): void => {
    const server = listening;
    listening = undefined;
    void server?.stop().then(() => servers.delete(server));
  };
  const endWatch = watchDescriptors(connectionsMax ?? connectionsDefault(), (tooMany) => {
    if (listening === undefined) {
      if (tooMany()) return;
      try {
        listening = listen(usedPort);
        servers.add(listening);
      } catch {
        // The next check tries again.
      }
    } else if (tooMany()) {
      listening.closeIdleConnections?.();
      // The rest serve requests, or have sent none yet. Bun closes the latter after a silence.
      if (tooMany()) stopListening();
    }
  });
  let isCut = false;
  const pending = (): number => (isCut ? 0 : [...servers].reduce((sum, server) => sum + server.pendingRequests, 0));
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${usedPort}`,
    running: () => Math.max(answers.running(), pending()),
    drain(): void {
      endWatch();
      stopListening();
    },
    async idle(): Promise<void> {
      await answers.idle();
      while (pending() > 0) await wait(lookAgain);
    },
    async cut(): Promise<void> {
      isCut = true;
      endWatch();
      await Promise.all([...servers].map((server) => server.stop(true)));
    },
  };
};

/** Serves a data folder on Bun. */
export const serveBun: ServeHere = (options) => serve(options, openBunSockets);
