import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** LIM-023: number of requests that may wait on one connection, and bytes of their headers. */
const waitingMost = { requests: 16, bytes: 32_768 };

interface Pipeline {
  requests: number;
  bytes: number;
  last: Promise<void>;
}

/**
 * Serves the requests of each connection one after the other (RFC 9112 §9.3.2). Node's parser emits all requests of a
 * packet in one step, about 2,000 in 64 KiB, and keeps their replies until the client reads them. A client that
 * pipelines more requests than may wait loses its connection.
 */
export class Pipelines {
  readonly #pipelines = new WeakMap<Duplex, Pipeline>();

  /** Calls `serve` after the earlier requests of the connection have been answered, unless it has closed by then. */
  enter({ socket, rawHeaders, url = '' }: IncomingMessage, serve: () => Promise<void>): Promise<void> {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) {
      const first = { requests: 0, bytes: 0, last: serve() };
      this.#pipelines.set(socket, first);
      void this.#forget(socket, first, first.last);
      return first.last;
    }
    const bytes = rawHeaders.reduce((sum, text) => sum + text.length, url.length);
    pipeline.requests += 1;
    pipeline.bytes += bytes;
    if (pipeline.requests > waitingMost.requests || pipeline.bytes > waitingMost.bytes) {
      cut(socket);
      return Promise.resolve();
    }
    const served = pipeline.last.then(async () => {
      pipeline.requests -= 1;
      pipeline.bytes -= bytes;
      if (!socket.destroyed) await serve();
    });
    pipeline.last = served;
    void this.#forget(socket, pipeline, served);
    return served;
  }

  /** Drops the pipeline of an idle connection, so that its next request need not wait for a promise. */
  async #forget(socket: Duplex, pipeline: Pipeline, served: Promise<void>): Promise<void> {
    await served;
    if (pipeline.last === served && this.#pipelines.get(socket) === pipeline) this.#pipelines.delete(socket);
  }
}

/** Closes a connection, and stops Node from emitting the remaining requests of its packet. */
function cut(socket: Duplex): void {
  socket.destroy();
  // Undocumented, but the only way: the parser reads its whole packet even after the socket was destroyed.
  const { parser } = socket as { parser?: { onIncoming?: unknown } };
  if (parser) parser.onIncoming = () => 0;
}
