import { Agent as PlainAgent, request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { PiecedBody } from '../bucket/bucket.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: PiecedBody;
}

export interface HttpReply {
  readonly status: number;
  header(name: string): string | undefined;
  /** Read or cancel it, so that the connection can be used again. */
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Connections to a store, which are kept for further requests. It uses `node:http`, since the fetch of Deno sends a
 * stream in chunks even if its length is known, which S3 refuses.
 */
export class HttpConnections {
  readonly #idle: number;
  readonly #plain = new PlainAgent({ keepAlive: true });
  readonly #tls = new TlsAgent({ keepAlive: true });

  /** @param idle maximum milliseconds without any progress, while connecting, sending and receiving. */
  constructor(idle: number) {
    this.#idle = idle;
  }

  /** Sends a request, and resolves with the beginning of its reply. Rejects if the connection breaks or stalls. */
  async exchange({ method, url, headers, body }: HttpRequest): Promise<HttpReply> {
    const size = body instanceof Uint8Array ? body.length : body.size;
    const isTls = url.protocol === 'https:';
    const request = (isTls ? requestTls : requestPlain)(url, {
      method,
      headers: { ...Object.fromEntries(headers), ...(isSent(method) ? { 'content-length': size } : {}) },
      agent: isTls ? this.#tls : this.#plain,
    });
    const stall = new Stall(this.#idle, request);
    const sending = { isOver: false };
    try {
      const reply = new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        // Stays for errors after the reply, which its body shows, too.
        request.on('error', reject);
        request.once('close', () => reject(new Error('The connection closed')));
      });
      // A failure is an error of the request, too. A store that refuses may reply before it has read the body.
      void send(request, body, stall, sending).catch(() => undefined);
      const message = await reply;
      return {
        status: message.statusCode ?? 0,
        header: (name) => [message.headers[name]].flat()[0],
        body: bodyStream(message, this.#idle, request),
      };
    } finally {
      sending.isOver = true;
      stall.stop();
    }
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

/** Tests if requests of this method have a body, if only an empty one. */
function isSent(method: string): boolean {
  return method === 'PUT' || method === 'POST';
}

/** Destroys a request that makes no progress. */
class Stall {
  readonly #idle: number;
  readonly #request: ClientRequest;
  #timer: ReturnType<typeof setTimeout>;

  constructor(idle: number, request: ClientRequest) {
    this.#idle = idle;
    this.#request = request;
    this.#timer = this.#start();
  }

  progress(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#request.destroy(new Error('The connection stalled')), this.#idle);
  }
}

/** Sends a body piece by piece. A piece is overwritten by the next, so each is waited for. */
async function send(
  request: ClientRequest,
  body: PiecedBody,
  stall: Stall,
  sending: { readonly isOver: boolean },
): Promise<void> {
  for (const piece of body instanceof Uint8Array ? [body] : body.pieces()) {
    if (piece.length === 0) continue;
    await new Promise<void>((resolve, reject) => {
      request.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    if (sending.isOver) return;
    stall.progress();
  }
  request.end();
}

function bodyStream(message: IncomingMessage, idle: number, request: ClientRequest): ReadableStream<Uint8Array> {
  // It may break before anyone reads it.
  message.on('error', () => undefined);
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>>;
  const isEmpty = request.method === 'HEAD' || message.statusCode === 204;
  let left = isEmpty ? 0 : Number(message.headers['content-length'] ?? Infinity);
  return new ReadableStream(
    {
      async pull(controller) {
        // Only while it is wanted: a slow reader is no stall of the store.
        const stall = new Stall(idle, request);
        try {
          const { value, done } = await chunks.next();
          if (done === true) {
            controller.close();
            // The rest of a refused body is not sent.
            if (!request.writableEnded) request.destroy();
            return;
          }
          left -= value.length;
          // Not as a Buffer, whose `slice` shares memory.
          controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.length));
        } finally {
          stall.stop();
        }
      },
      cancel() {
        // With nothing left to read, the connection stays usable.
        if (left === 0 && request.writableEnded) message.resume();
        else request.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
