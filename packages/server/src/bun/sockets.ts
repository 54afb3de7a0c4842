import { setTimeout as wait } from 'node:timers/promises';
import { addressError } from '../serve/address-error.ts';
import { plainReply } from '../serve/plain-reply.ts';
import { reachable, type OpenSockets } from '../serve/sockets.ts';
import { withTls } from '../serve/tls.ts';
import { createAnswers } from '../web/answers.ts';
import type { BunServer, BunServing } from './api.ts';

/** Seconds that a connection may be silent while no request is in hand. */
const idleTimeout = 65;

/** Bytes. Bun tells no length of a longer reply that streams (its issue 10507). */
const gathered = 1024 * 1024;

/** Milliseconds between two looks at whether replies have left: Bun has no event for it. */
const lookAgain = 10;

/** Sockets of `Bun.serve`. */
export const openBunSockets: OpenSockets = async ({ host, port, tls }, answering) => {
  const { Bun } = globalThis as unknown as { readonly Bun: BunServing };
  const answers = createAnswers(answering);
  const options = {
    hostname: host,
    port,
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
      return answers.answer(request, { left: request.signal, ending, gathered });
    },
  } as const;
  const listen = (): BunServer => {
    try {
      return Bun.serve(options);
    } catch (error) {
      throw addressError(error, { host, port });
    }
  };
  const server = listen();
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${server.port}`,
    running: () => Math.max(answers.running(), server.pendingRequests),
    drain(): void {
      void server.stop();
    },
    async idle(): Promise<void> {
      await answers.idle();
      while (server.pendingRequests > 0) await wait(lookAgain);
    },
    async cut(): Promise<void> {
      await server.stop(true);
    },
  };
};
