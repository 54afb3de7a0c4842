import { Agent, request, type IncomingMessage } from 'node:http';

/** One request over a connection of its own. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Leaves the request unfinished after `body`: the rest that its length announces never comes. */
  readonly unfinished?: boolean;
}

/** What came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly body: string;
  /** Whether the reply came to its announced end: its length, or its last chunk. */
  readonly complete: boolean;
}

/** Of a connection that was reset before any of the reply had come. */
const nothing: Reply = { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), body: '', complete: false };

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Asks, and answers with as much of the reply as comes before it ends or its connection breaks. */
export async function exchange(
  url: string,
  { method = 'GET', headers = {}, body, unfinished }: Asked = {},
): Promise<Reply> {
  const agent = new Agent({ keepAlive: true });
  try {
    return await new Promise<Reply>((resolve, reject) => {
      const asking = request(url, { method, headers, agent }, (message) => {
        const chunks: Buffer[] = [];
        const end = (): void => {
          const [status, bytes] = [message.statusCode ?? 0, Buffer.concat(chunks)];
          resolve({ status, headers: headersOf(message), bytes, body: bytes.toString(), complete: message.complete });
        };
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        // Of a reply that breaks off: `close` follows.
        message.on('error', () => {});
        message.on('close', end);
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // Bun resets a connection whose reply breaks, and what was on its way may be lost.
        if (error.code === 'ECONNRESET') resolve(nothing);
        else reject(error);
      });
      if (unfinished) asking.write(body ?? '');
      else asking.end(body);
    });
  } finally {
    agent.destroy();
  }
}

/** A client that has sent its request, or the begin of it, and is going to leave. */
export interface LeavingClient {
  /** The first part of the body has come. */
  readonly data: Promise<void>;
  leave(): void;
}

/** Asks, and waits with the rest. With a body, more of it is announced than is sent. */
export function askAndLeave(url: string, body?: string): LeavingClient {
  const headers = body === undefined ? {} : { 'content-length': '1000000' };
  const asking = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
  asking.on('error', () => {});
  if (body === undefined) asking.end();
  else asking.write(body);
  const data = new Promise<void>((resolve) => {
    asking.on('response', (message) => message.on('error', () => {}).once('data', () => resolve()));
  });
  return { data, leave: () => void asking.destroy() };
}
