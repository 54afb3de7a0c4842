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
  readonly body: string;
  /** Whether the reply came to its announced end: its length, or its last chunk. */
  readonly complete: boolean;
}

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
        const end = (): void =>
          resolve({
            status: message.statusCode ?? 0,
            headers: headersOf(message),
            body: Buffer.concat(chunks).toString(),
            complete: message.complete,
          });
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        // Of a reply that breaks off: `close` follows.
        message.on('error', () => {});
        message.on('close', end);
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // Bun resets a connection whose reply breaks, and what was on its way may be lost.
        if (error.code === 'ECONNRESET') resolve({ status: 0, headers: new Headers(), body: '', complete: false });
        else reject(error);
      });
      if (unfinished) asking.write(body ?? '');
      else asking.end(body);
    });
  } finally {
    agent.destroy();
  }
}

/** Asks, and leaves: as soon as the request is sent, or when the first part of the body has come. */
export function leave(url: string, when: 'request' | 'data'): Promise<void> {
  return new Promise((resolve) => {
    const asking = request(url, { agent: false });
    const go = (): void => {
      asking.destroy();
      resolve();
    };
    asking.on('error', () => {});
    if (when === 'request') asking.end(() => setTimeout(go, 100));
    else asking.end().on('response', (message) => message.on('error', () => {}).once('data', go));
  });
}
