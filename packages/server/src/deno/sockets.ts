import { setTimeout as wait } from 'node:timers/promises';
import { addressError } from '../serve/address-error.ts';
import { plainReply } from '../serve/plain-reply.ts';
import { reachable, type OpenSockets } from '../serve/sockets.ts';
import { withTls } from '../serve/tls.ts';
import { createAnswers } from '../web/answers.ts';
import type { DenoServing } from './api.ts';

/** Milliseconds for connections to close once they were cut. */
const lastWord = 1_000;

/** Sockets of `Deno.serve`. */
export const openDenoSockets: OpenSockets = async ({ host, port, tls }, answering) => {
  const { Deno } = globalThis as unknown as { readonly Deno: DenoServing };
  const answers = createAnswers(answering);
  const cutting = new AbortController();
  const options = {
    hostname: host,
    port,
    signal: cutting.signal,
    onListen: () => undefined,
    onError: plainReply,
    ...(tls === undefined ? {} : withTls(tls, (pair) => pair)),
  };
  const listen = (): ReturnType<DenoServing['serve']> => {
    try {
      return Deno.serve(options, (request, { completed }) => answers.answer(request, { delivered: completed }));
    } catch (error) {
      throw addressError(error, { host, port });
    }
  };
  const server = listen();
  let draining = false;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${server.addr.port}`,
    running: answers.running,
    idle: answers.idle,
    drain(): void {
      draining = true;
      void server.shutdown();
    },
    async cut(): Promise<void> {
      // Once it shuts down Deno cuts no more: broken replies do, and what then is left does not keep the process.
      answers.cut();
      server.unref();
      if (!draining) cutting.abort();
      await Promise.race([server.finished, wait(lastWord, undefined, { ref: false })]);
    },
  };
};
