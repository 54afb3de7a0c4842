import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SmallReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server on 127.0.0.1 that records its requests. */
export interface SmallServer {
  /** Without a final slash. */
  readonly url: string;
  /** Targets of the requests so far. */
  readonly asked: readonly string[];
  /** `Accept` headers of the requests. */
  readonly accepted: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Serves these replies in order, and then repeats the last one. */
export async function serveReplies(...replies: readonly SmallReply[]): Promise<SmallServer> {
  const asked: string[] = [];
  const accepted: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { status, headers, body } = replies[asked.length] ?? replies.at(-1) ?? { status: 500, body: '' };
    asked.push(request.url ?? '');
    accepted.push(request.headers.accept);
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    accepted,
    async close() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}
