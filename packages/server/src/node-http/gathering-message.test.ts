import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { GatheringMessage } from './gathering-message.ts';

const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Resolves with the requests of as many connections that each send these bytes. */
async function received(count: number, bytes: string): Promise<readonly IncomingMessage[]> {
  const requests: IncomingMessage[] = [];
  const all = Promise.withResolvers<void>();
  server = createServer({ IncomingMessage: GatheringMessage }, (request) => {
    if (requests.push(request) === count) all.resolve();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1');
    // The server cuts it when the test ends.
    socket.on('error', () => {});
    socket.write(head + bytes, 'latin1');
  }
  await all.promise;
  return requests;
}

it('passes on a body of single bytes in few chunks, whole and in order', async () => {
  const text = Array.from({ length: 200_000 }, (_, i) => String(i % 10)).join('');
  const wire = `${text.replaceAll(/\d/g, '1\r\n$&\r\n')}0\r\n\r\n`;
  const [request] = await received(1, wire);
  const chunks: Buffer[] = [];
  for await (const chunk of request as IncomingMessage) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe(text);
  expect(chunks.length).toBeLessThan(text.length / 100);
});

it('copies each byte of small chunks few times', async () => {
  const bytes = 8 * 50_000;
  const concat = vi.spyOn(Buffer, 'concat');
  try {
    const [request] = await received(1, `${'8\r\n12345678\r\n'.repeat(bytes / 8)}0\r\n\r\n`);
    let got = 0;
    for await (const chunk of request as IncomingMessage) got += (chunk as Buffer).length;
    expect(got).toBe(bytes);
    const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
    expect(copied).toBeLessThan(20 * bytes);
  } finally {
    concat.mockRestore();
  }
});

it('keeps the order where small chunks and large ones take turns', async () => {
  const parts = Array.from({ length: 300 }, (_, i) => String(i % 10).repeat(i % 3 === 0 ? 2_000 : (i % 5) + 1));
  const wire = `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
  const [request] = await received(1, wire);
  let text = '';
  for await (const chunk of request as IncomingMessage) text += String(chunk);
  expect(text).toBe(parts.join(''));
});

it('lets other work go on while many connections send single bytes', async () => {
  const wire = '1\r\na\r\n'.repeat(100_000);
  const requests = await received(20, wire);
  const bytes = requests.map(() => 0);
  requests.forEach((request, i) => {
    request.on('data', (chunk: Buffer) => void (bytes[i] = (bytes[i] as number) + chunk.length));
  });
  let most = 0;
  let before = 0;
  while (bytes.some((one) => one < 50_000)) {
    await new Promise((resolve) => setImmediate(resolve));
    const sum = bytes.reduce((total, one) => total + one, 0);
    // 64 KiB of the wire hold 11,000 of these chunks. The first ones of all connections are read in one pass.
    if (bytes.every((one) => one > 11_000)) most = Math.max(most, sum - before);
    before = sum;
  }
  expect(most).toBeLessThan(4 * 11_000);
});
