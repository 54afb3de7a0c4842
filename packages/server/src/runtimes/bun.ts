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

/** The part of Bun's own functions that is used here. */
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
  /** Requests whose reply has not wholly gone to the socket. */
  readonly pendingRequests: number;
  /** How many seconds the connection of a request may be silent; 0 for ever. */
  timeout(request: Request, seconds: number): void;
  /** Closes connections that have had a request and wait for the next one. Releases before 1.4 may lack it. */
  closeIdleConnections?(): void;
  /** Takes no new connections; with `cut`, closes all there are, else those that are idle. */
  stop(cut?: boolean): Promise<void>;
}

/** Seconds that a connection may be silent while no request is in hand. */
const idleTimeout = 65;

/** Bytes. Bun tells no length of a longer reply that streams (its issue 10507). */
const gathered = 1024 * 1024;

/** Milliseconds between two looks at whether replies have left: Bun has no event for it. */
const lookAgain = 10;

/** Bytes that Bun buffers of a body that is read slowly or not at all, as measured. */
const bufferedBody = 1.5 * 1024 * 1024;

/** Sockets of `Bun.serve`. */
export const openBunSockets: OpenSockets = async (place, answering) => {
  const { host, port, tls, connectionsMax, memoryMax = defaultMemoryMax() } = place;
  const { Bun } = globalThis as unknown as { readonly Bun: BunServing };
  const answers = createAnswers(boundBodies(answering, bodiesMemory(memoryMax), bufferedBody));
  const options = {
    hostname: host,
    // Bun would print failures of replies with the source lines around them.
    development: false,
    // Without its development mode it would share a port that is in use, and with it the requests.
    reusePort: false,
    idleTimeout,
    // The service has limits of its own.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    error: plainReply,
    ...(tls === undefined ? {} : { tls: withTls(tls, (pair) => pair) }),
    fetch(request: Request, serving: BunServer): Promise<Response> {
      // A push may be silent for as long as it takes.
      serving.timeout(request, 0);
      const ending = (): void => serving.timeout(request, idleTimeout);
      // Bun closes such a connection with its reply, also on a client that still sends.
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
  // A server that has stopped tells no port.
  const usedPort = first.port;
  /** The server that listens, if one does, and those that still have connections. */
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
        // The next look tries again.
      }
    } else if (tooMany()) {
      listening.closeIdleConnections?.();
      // What is left are requests, and connections that have not asked yet: Bun closes these when they are silent.
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
