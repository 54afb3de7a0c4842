import { Agent, request, type IncomingMessage } from 'node:http';

/** A request over its own connection. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Leaves the request unfinished after `body`: the announced rest is never sent. */
  readonly unfinished?: boolean;
}

/** The received reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly body: string;
  /** True if the reply reached its announced end: its length, or its last chunk. */
  readonly complete: boolean;
}

/** The reply of a connection that was reset before any byte arrived. */
const nothing: Reply = { status: 0, headers: new Headers(), bytes: Buffer.alloc(0), body: '', complete: false };

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < message.rawHeaders.length; index += 2) {
    headers.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Sends a request, and returns the reply up to its end or the break of the connection. */
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
        // The reply breaks off; `close` follows.
        message.on('error', () => {});
        message.on('close', end);
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // Bug of Bun: it resets the connection when a reply breaks, which may lose sent data.
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

/** A client that has sent its request, or a part of it, and is about to disconnect. */
export interface LeavingClient {
  /** Resolves with the first part of the body. */
  readonly data: Promise<void>;
  leave(): void;
}

/** Sends a request and waits. With a body, it announces more than it sends. */
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
