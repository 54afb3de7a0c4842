import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from './reply.ts';

/** A local server of one page, which records all requests of the page. */
export interface PageServer {
  /** Sets the reply to the next requests for the page, and returns its URL. */
  show(reply: Reply): string;
  /** Paths of the requests since the last `show`. */
  requests(): readonly string[];
  close(): Promise<void>;
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

export const servePages = async (): Promise<PageServer> => {
  let shown: Reply = { status: 404, headers: {}, body: '' };
  let requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { status, headers, body } = request.url === '/' ? shown : { status: 404, headers: {}, body: '' };
    response.writeHead(status, headers);
    response.end(body);
  });
  const origin = await listen(server);
  return {
    show(reply) {
      shown = reply;
      requests = [];
      return `${origin}/`;
    },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
