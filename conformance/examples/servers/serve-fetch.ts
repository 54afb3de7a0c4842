/** Puts a fetch handler behind the HTTP server of Node. */

import { createServer, type Server } from 'node:http';
import { Readable } from 'node:stream';

/** Makes a server of a fetch handler. */
export function serveFetch(handler: (request: Request) => Response | Promise<Response>): Server {
  return createServer((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const { method = 'GET', headers, url = '/' } = incoming;
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' };
      const pairs = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      const request = new Request(`http://${headers.host ?? 'localhost'}${url}`, {
        method,
        headers: pairs,
        ...(body as RequestInit),
      });
      const response = await handler(request);
      outgoing.writeHead(response.status, [...response.headers].flat());
      outgoing.end(new Uint8Array(await response.arrayBuffer()));
    };
    answer().catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    });
  });
}
