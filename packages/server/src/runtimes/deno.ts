import { setTimeout as wait } from 'node:timers/promises';
import { addressError } from '../http/address-error.ts';
import { plainReply, UnservableRequestError } from '../http/plain-reply.ts';
import { reachable, type Answering, type OpenSockets } from '../http/sockets.ts';
import { withTls } from '../http/tls.ts';
import { boundBodies } from '../http/bound-bodies.ts';
import { bodiesMemory, defaultMemoryMax } from '../process/memory-limit.ts';
import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { createAnswers } from '../web/answers.ts';
import { DescriptorReserve } from './deno-descriptors.ts';

/** The part of Deno's API that this file uses. */
interface DenoServing {
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
    /** Stops accepting connections, sends the rest of the replies, and cuts the bodies of requests. */
    shutdown(): Promise<void>;
    /** Lets the process end while the server is open. */
    unref(): void;
  };
}

/** Milliseconds that connections have to close at the end. */
const lastWord = 1_000;

/** Milliseconds between two attempts to listen again. */
const listenPause = 200;

/** Bytes that Deno buffers of a body that the handler reads slowly or not at all, as measured. */
const bufferedBody = 1024 * 1024;

/** Opens the sockets of `Deno.serve`. */
export const openDenoSockets: OpenSockets = async (place, answering) => {
  const { host, port, tls, folder, memoryMax = defaultMemoryMax() } = place;
  const { Deno } = globalThis as unknown as { readonly Deno: DenoServing };
  const answers = createAnswers(boundBodies(answering, bodiesMemory(memoryMax), bufferedBody));
  const cutting = new AbortController();
  const reserve = folder === undefined ? undefined : new DescriptorReserve(folder);
  const options = {
    hostname: host,
    signal: cutting.signal,
    onListen: () => undefined,
    onError: plainReply,
    ...(tls === undefined ? {} : withTls(tls, (pair) => pair)),
  };
  let draining = false;
  let ended = false;
  const listen = (at: number): ReturnType<DenoServing['serve']> => {
    try {
      const listening = Deno.serve({ ...options, port: at }, async (request, { completed }) =>
        draining ? stopping(answering) : await answers.answer(request, { delivered: completed }),
      );
      listening.finished.catch(listenAgain);
      return listening;
    } catch (error) {
      throw addressError(error, { host, port: at });
    }
  };
  /**
   * Listens again after Deno ran out of descriptors: it then stops listening, and keeps its connections. Their requests
   * use the reserve until as many descriptors are free again.
   */
  const listenAgain = (): void => {
    reserve?.empty();
    const timer = setInterval(() => {
      if (!ended && reserve?.fill() === false) return;
      clearInterval(timer);
      if (ended) return;
      try {
        server = listen(server.addr.port);
      } catch {
        listenAgain();
      }
    }, listenPause);
  };
  reserve?.fill();
  let server = listen(port);
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${server.addr.port}`,
    running: answers.running,
    idle: answers.idle,
    drain(): void {
      draining = true;
    },
    async cut(): Promise<void> {
      ended = true;
      reserve?.empty();
      // Deno may not have sent the last bytes of a reply yet. Only a shutdown still sends them.
      if (answers.running() === 0) void server.shutdown();
      else {
        answers.cut();
        cutting.abort();
      }
      server.unref();
      await Promise.race([server.finished.catch(() => undefined), wait(lastWord, undefined, { ref: false })]);
    },
  };
};

/**
 * Makes the reply to a request that arrives after the first signal. Deno's `shutdown` would refuse the connection
 * instead, but would also cut the request bodies under way: the pushes that the grace is for.
 */
function stopping({ complete }: Answering): Response {
  const reply = plainReply(new UnservableRequestError(503, 'The server is stopping.'));
  reply.headers.set('retry-after', '1');
  complete?.(reply.headers);
  return reply;
}

/** Serves a data folder on Deno. */
export const serveDeno: ServeHere = (options) => serve(options, openDenoSockets);
