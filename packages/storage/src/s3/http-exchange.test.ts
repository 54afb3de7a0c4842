import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { HttpConnections } from './http-exchange.ts';

it('uses a connection again after a reply without a body, which is not read', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.writeHead(204).end());
  server.on('connection', () => connections++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const client = new HttpConnections(1_000);
  for (let i = 0; i < 3; i++) {
    const reply = await client.exchange({ method: 'DELETE', url, headers: new Headers(), body: new Uint8Array(0) });
    await reply.body.cancel();
    await new Promise(setImmediate);
  }
  expect(connections).toBe(1);
  client.close();
  server.close();
});
