import { connect, type Socket } from 'node:net';
import { openBunSockets } from '../../src/runtimes/bun.ts';
import { openDenoSockets } from '../../src/runtimes/deno.ts';
import { openNodeSockets } from '../../src/runtimes/node.ts';
import type { Answering, FetchHandler, OpenSockets, Place, ServedRequest, Sockets } from '../../src/http/sockets.ts';

/** The sockets of the runtime of this test. `packages/cli/test/suites.runtimes.test.ts` runs it on Deno and Bun. */
export const runtime: 'node' | 'deno' | 'bun' = 'Deno' in globalThis ? 'deno' : 'Bun' in globalThis ? 'bun' : 'node';
export const openSockets: OpenSockets = { node: openNodeSockets, deno: openDenoSockets, bun: openBunSockets }[runtime];

export interface Running {
  readonly port: number;
  readonly sockets: Sockets;
  readonly served: ServedRequest[];
}

let open: Sockets[] = [];

/** Cuts all sockets of a test. For `afterEach`. */
export async function cutAll(): Promise<void> {
  await Promise.all(open.map((sockets) => sockets.cut()));
  open = [];
}

/** Listens on a free port with a handler. */
export async function run(
  handler: FetchHandler,
  options: Partial<Answering> = {},
  place: Partial<Place> = {},
): Promise<Running> {
  const served: ServedRequest[] = [];
  const sockets = await openSockets(
    { host: '127.0.0.1', port: 0, ...place },
    { handler, fallbackHost: 'fallback.test', onServed: (one) => served.push(one), ...options },
  );
  open.push(sockets);
  return { port: Number(new URL(sockets.origin).port), sockets, served };
}

export interface Client {
  readonly socket: Socket;
  /** All that came so far. */
  readonly text: () => string;
  readonly closed: Promise<void>;
}

/** Connects to a port. */
export function client(port: number): Client {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, text: () => text, closed };
}

/** Sends raw bytes and answers all that comes until the server closes the connection. */
export async function exchange(port: number, ...parts: readonly string[]): Promise<string> {
  const { socket, text, closed } = client(port);
  for (const part of parts) socket.write(part, 'latin1');
  await closed;
  return text();
}

/** Resolves once a condition holds. Needs no timer, so that a test may stop the clock. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
